"""A small built-in dictionary: terms of one meaning in English and Chinese, each with its tag class.

The first English and the first Chinese term of a line are the preferred ones; the others are how people
also say it, on the shop floor or in everyday words.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.llm.extractive.families import families
from core.text.tokens import is_cjk, words

# class | English terms | Chinese terms
_TERMS = """
equipment | etcher, etch tool, etching machine, dry etcher | 刻蚀机, 蚀刻机, 刻蚀设备
equipment | scanner, stepper, lithography tool, exposure tool | 光刻机, 曝光机
equipment | vacuum pump, dry pump, turbo pump, roughing pump, pump | 真空泵, 干泵, 分子泵, 泵
equipment | chamber, process chamber, reactor, vessel | 腔体, 反应腔, 腔室, 工艺腔
equipment | robot, transfer arm, handler, robot arm | 机械手, 机械臂, 传送臂
equipment | electrostatic chuck, chuck, esc | 静电吸盘, 静电卡盘, 吸盘
equipment | mass flow controller, mfc, flow controller | 质量流量计, 流量控制器, 流量计
equipment | valve, throttle valve, gate valve | 阀门, 阀, 节流阀, 闸阀
equipment | chiller, cooling unit, cooler | 冷却机, 冷水机, 冷却器
equipment | heater, furnace, oven | 加热器, 炉管, 炉
equipment | sensor, probe, detector, gauge | 传感器, 探头, 探测器, 规管
equipment | rf generator, power supply, matching network, rf match | 射频电源, 射频发生器, 匹配器
equipment | showerhead, gas distribution plate | 喷淋头, 气体分配盘
equipment | tool, machine, equipment, instrument, unit | 设备, 机台, 机器, 仪器
equipment | motor, drive, actuator | 电机, 马达, 驱动器
equipment | filter, strainer | 过滤器, 滤芯
equipment | bearing, gear, shaft | 轴承, 齿轮, 轴
equipment | o-ring, seal, gasket | 密封圈, 密封件, 垫圈, o型圈
equipment | edge ring, focus ring | 边缘环, 聚焦环
process | etch, etching, plasma etch, dry etch | 刻蚀, 蚀刻, 干法刻蚀
process | lithography, photolithography, exposure, litho | 光刻, 曝光
process | deposition, cvd, pvd, sputtering, film growth | 沉积, 淀积, 镀膜, 溅射
process | polishing, cmp, planarisation, planarization | 抛光, 化学机械抛光, 研磨, 平坦化
process | implantation, ion implant, doping | 离子注入, 注入, 掺杂
process | cleaning, rinse, wet clean, strip, ashing | 清洗, 冲洗, 去胶, 灰化
process | annealing, anneal, heat treatment | 退火, 热处理
process | oxidation, thermal oxide | 氧化, 热氧化
process | diffusion, drive-in | 扩散
process | inspection, review, audit, check, metrology, measurement | 检查, 检验, 检测, 量测, 测量
process | maintenance, servicing, overhaul, preventive maintenance, upkeep | 维护, 保养, 检修, 维修
process | calibration, adjustment | 校准, 标定, 调整
process | commissioning, qualification, release, sign-off | 验收, 认证, 放行
process | production, manufacturing, fabrication, output | 生产, 制造, 产量
process | repair, fix, replacement, swap | 修理, 更换, 替换
process | shutdown, stop, interruption, downtime | 停机, 宕机, 停产
process | startup, start-up, boot, pump-down, restart | 启动, 开机, 重启
process | chamber matching, matching | 腔体匹配
process | testing, trial, experiment | 测试, 试验, 实验
material | wafer, substrate, slice | 晶圆, 硅片, 基片, 衬底
material | photoresist, resist | 光刻胶, 光阻
material | slurry, abrasive | 研磨液, 抛光液
material | gas, process gas, precursor | 气体, 工艺气体, 前驱体
material | oil, lubricant, grease | 油, 润滑油, 润滑脂
material | oxide, silicon dioxide, sio2 | 氧化物, 二氧化硅, 氧化硅
material | nitride, silicon nitride | 氮化硅, 氮化物
material | copper | 铜
material | aluminium, aluminum | 铝
material | tungsten | 钨
material | metal | 金属
material | polymer, residue, deposit, build-up | 聚合物, 残留物, 沉积物
material | coolant, cooling water, antifreeze | 冷却液, 冷却水
material | lot, batch | 批次, 批, 批号
material | mask, reticle, photomask | 掩模, 光罩, 掩膜版
parameter | salary, wage, pay, earnings, earn | 工资, 薪资, 薪水
defect | defect, flaw, fault, blemish, imperfection | 缺陷, 瑕疵, 不良
defect | particle, dust, contamination, dirt, foreign matter | 颗粒, 微粒, 污染, 粉尘, 异物
defect | scratch, scuff | 划伤, 划痕, 刮伤
defect | void, hole, pinhole | 空洞, 针孔
defect | crack, fracture, break | 裂纹, 裂缝, 破裂
defect | leak, leakage, seepage | 泄漏, 漏气, 漏, 渗漏
defect | failure, breakdown, malfunction, outage, broke down, not working | 故障, 失效, 失灵, 坏了
defect | alarm, alert, warning, error code | 报警, 警报, 告警
defect | drift, shift, deviation, excursion | 漂移, 偏移, 偏差, 异常
defect | arcing, arc, spark | 打火, 电弧, 放电
defect | wear, erosion, abrasion, degradation | 磨损, 腐蚀, 侵蚀, 老化
defect | overheating, too hot, overtemperature | 过热, 温度过高
defect | misalignment, overlay error | 对准偏差, 套刻误差, 错位
defect | scrap, reject, rework | 报废, 返工
defect | root cause, cause, reason, origin | 根本原因, 原因, 根因, 起因
parameter | yield, good die rate, pass rate | 良率, 成品率, 合格率
parameter | pressure, vacuum level | 压力, 真空度, 气压
parameter | temperature, heat, how hot | 温度, 热度
parameter | flow, flow rate | 流量, 流速
parameter | power, rf power, wattage | 功率, 射频功率
parameter | etch rate, removal rate | 刻蚀速率, 去除速率
parameter | uniformity, non-uniformity | 均匀性, 均匀度
parameter | thickness, film thickness | 厚度, 膜厚
parameter | critical dimension, cd, line width, linewidth | 关键尺寸, 线宽
parameter | overlay, alignment | 套刻, 对准
parameter | voltage, bias | 电压, 偏压
parameter | current | 电流
parameter | particle count, defect count, defect density | 颗粒数, 缺陷数, 缺陷密度
parameter | throughput, wafers per hour, capacity | 产能, 吞吐量
parameter | uptime, availability, utilisation, utilization | 稼动率, 可用率, 利用率
parameter | mtbf, mean time between failures | 平均无故障时间, 平均故障间隔
parameter | cost, price, expense, spending | 成本, 价格, 费用, 花费
parameter | duration, time, how long | 时长, 时间, 持续时间
parameter | humidity, moisture | 湿度, 水分
parameter | limit, threshold, specification, spec | 上限, 阈值, 规格, 限值
parameter | setpoint, set point, target value, recipe | 设定值, 目标值, 配方
parameter | concentration, ratio, share, percentage | 浓度, 比例, 占比, 百分比
topic | meaning, significance, definition | 含义, 意思, 意义, 定义
topic | torque, tightening torque | 力矩, 扭矩
topic | interval, cycle | 周期, 间隔
topic | lead time, delivery time | 交货期, 交付周期
topic | month, calendar month | 月份, 月
topic | product, article | 产品, 制品
topic | edge, rim | 边缘
topic | centre, center, middle | 中心, 中央
material | chlorine, cl2 | 氯气, 氯
material | oxygen, o2 | 氧气, 氧
material | nitrogen, n2 | 氮气, 氮
material | argon, ar | 氩气, 氩
material | helium | 氦气, 氦
material | hydrogen, h2 | 氢气, 氢
material | ammonia, nh3 | 氨气, 氨
material | silane, sih4 | 硅烷
material | hydrogen bromide, hbr | 溴化氢
material | hydrogen chloride, hcl | 氯化氢
material | boron trichloride, bcl3 | 三氯化硼
material | sulfur hexafluoride, sf6 | 六氟化硫
material | nitrogen trifluoride, nf3 | 三氟化氮
material | carbon tetrafluoride, cf4 | 四氟化碳
material | octafluorocyclobutane, c4f8 | 八氟环丁烷
material | ozone, o3 | 臭氧
material | water, h2o | 水
document | manual, handbook, guide | 手册, 说明书, 指南
document | procedure, sop, work instruction, standard operating procedure | 规程, 操作规程, 作业指导书
document | report, record, log, logbook | 报告, 记录, 日志
document | contract, agreement | 合同, 协议
document | meeting notes, minutes, protocol | 会议纪要, 会议记录
document | corrective action, 8d, capa, countermeasure | 纠正措施, 整改措施, 对策, 改善措施
person | engineer, technician, operator, specialist | 工程师, 技术员, 操作员, 专员
person | manager, supervisor, lead, leader, owner, head, boss | 经理, 主管, 组长, 负责人, 负责
person | author, writer | 作者, 撰写人
person | supplier, vendor, manufacturer, maker | 供应商, 厂商, 制造商
person | customer, client, buyer | 客户, 顾客, 买方
person | doctor, physician | 医生, 医师
person | employee, staff, worker, personnel | 员工, 职工, 人员, 工人
place | factory, fab, plant, site, line | 工厂, 晶圆厂, 厂区, 产线
place | cleanroom, clean room, bay | 洁净室, 无尘室, 车间
organisation | company, firm, enterprise, corporation | 公司, 企业
organisation | department, team, group, division | 部门, 团队, 小组
organisation | university, college, school | 大学, 学院, 学校
topic | improvement, optimisation, optimization, enhancement | 改进, 优化, 提升
topic | safety, hazard, risk, danger | 安全, 危险, 风险
topic | quality, reliability | 质量, 品质, 可靠性
topic | training, course, lesson | 培训, 课程
topic | schedule, plan, timetable, deadline | 计划, 日程, 进度, 期限
topic | law, rule, regulation | 法律, 法规, 规定
topic | heart palpitations, palpitations, heart races, racing heart | 心悸, 心慌, 心跳加速
topic | hypertension, high blood pressure | 高血压, 血压高
topic | fever, high temperature, running a temperature | 发烧, 发热
"""


class Term(NamedTuple):
    """One meaning: all its names, and the class it is tagged with."""

    tag_class: str
    english: tuple[str, ...]
    chinese: tuple[str, ...]

    def names(self) -> tuple[str, ...]:
        return self.english + self.chinese


def _parse(line: str) -> Term:
    tag_class, english, chinese = (part.strip() for part in line.split("|"))
    return Term(
        tag_class, tuple(t.strip() for t in english.split(",")), tuple(t.strip() for t in chinese.split(","))
    )


TERMS = tuple(_parse(line) for line in _TERMS.strip().splitlines())
CLASSES = (
    "equipment",
    "process",
    "material",
    "defect",
    "parameter",
    "document",
    "person",
    "place",
    "organisation",
    "date",
    "topic",
)


@lru_cache(maxsize=1)
def by_stems() -> dict[tuple[str, ...], Term]:
    """Return the terms by the words of each of their names, the first term that has a name keeping it."""
    found: dict[tuple[str, ...], Term] = {}
    for term in TERMS:
        for name in term.names():
            key = (name,) if is_cjk(name) else tuple(words(name))
            found.setdefault(key, term)
    return found


@lru_cache(maxsize=1)
def chinese_pattern() -> re.Pattern[str]:
    """Return a pattern that finds every Chinese name of two characters or more, the longest first."""
    names = sorted({n for term in TERMS for n in term.chinese if len(n) > 1}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, names)))


@lru_cache(maxsize=512)
def own_terms(text: str) -> frozenset[str]:
    """Return the Chinese names of the dictionary a text says, the longest where they overlap."""
    return frozenset(match.group() for match in chinese_pattern().finditer(text))


@lru_cache(maxsize=512)
def in_chinese(text: str) -> frozenset[str]:
    """Return the Chinese names of the things an English text names."""
    return frozenset(name for _, _, term in terms_in(words(text)) for name in term.chinese)


def in_english(weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weights of Chinese words for the English words of their meaning: the preferred name's
    first, since an alarm may be a warning but is first of all an alarm."""
    found: dict[str, float] = {}
    for word, weight in weights.items():
        term = by_stems().get((word,)) if is_cjk(word) else None
        for place, name in enumerate(term.english if term is not None else ()):
            for stemmed in words(name):
                found[stemmed] = max(found.get(stemmed, 0.0), weight * (0.75 if place == 0 else 0.4))
    return found


@lru_cache(maxsize=1)
def _by_first() -> dict[str, list[tuple[tuple[str, ...], Term]]]:
    """Return the terms by their first word, those of more words first."""
    table: dict[str, list[tuple[tuple[str, ...], Term]]] = {}
    for key, term in by_stems().items():
        table.setdefault(key[0], []).append((key, term))
    for entries in table.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return table


def terms_in(stems: Sequence[str]) -> list[tuple[int, int, Term]]:
    """Return (start, end, term) for the English names in a run of stems, the longest name winning."""
    table = _by_first()
    found: list[tuple[int, int, Term]] = []
    upto = 0
    for at, word in enumerate(stems):
        if at < upto or word not in table:
            continue
        for key, term in table[word]:
            if len(key) == 1 or tuple(stems[at : at + len(key)]) == key:
                upto = at + len(key)
                found.append((at, upto, term))
                break
    return found


_NONE: frozenset[str] = frozenset()


@lru_cache(maxsize=1)
def _by_word() -> dict[str, frozenset[str]]:
    """Return for each single word (stem or Chinese word) the single words of the same meaning."""
    table: dict[str, set[str]] = {}
    for term in TERMS:
        singles = [key[0] for key, owner in by_stems().items() if owner is term and len(key) == 1]
        singles += [name for name in term.english if name.isalnum() and not name.isalpha()]  # formulas: "cl2"
        for word in singles:
            table.setdefault(word, set()).update(s for s in singles if s != word)
    return {word: frozenset(same) for word, same in table.items()}


@lru_cache(maxsize=20_000)
def synonyms(word: str) -> frozenset[str]:
    """Return other single words, in both languages, of the same meaning as a word as `words` gives it."""
    return _by_word().get(word, _NONE) | families().get(word, _NONE)
