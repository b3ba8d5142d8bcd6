"""The library of roles: data, not classes. Each reads through its own lens, in English and Chinese."""

import re
from typing import NamedTuple

from core.domain import Role, identify
from core.text.tokens import content_words, is_cjk, word_set

READER = "reader"
LEAST, MOST = 3, 5  # roles of a council
SHOWN = 12  # lens words on a role's card


class _Kept(NamedTuple):
    """A role of the library. Words of the lens are written as text: English ones, then Chinese ones."""

    id: str
    name: tuple[str, str]
    voice: tuple[str, str]
    cares: tuple[str, str]
    terms: tuple[str, str]
    reads: str  # beginnings of headings and tags
    sceptic: bool = False


_ROLES = (
    _Kept(
        "process",
        ("Process engineer", "工艺工程师"),
        ("thinks in recipes, steps and parameters", "从配方、步骤和参数出发"),
        ("a stable process window", "工艺窗口的稳定"),
        (
            "recipe step parameter pressure power gas flow etch temperature dechuck process uniformity",
            "配方 步骤 参数 压力 功率 气体 流量 刻蚀 温度 工艺 均匀性",
        ),
        "recipe process procedure step parameter 配方 工艺 步骤 参数",
    ),
    _Kept(
        "equipment",
        ("Equipment engineer", "设备工程师"),
        ("thinks in parts, wear and interfaces", "从部件、磨损和接口出发"),
        ("hardware that does what it was built for", "硬件发挥应有的功能"),
        (
            "chamber chuck esc seal ring pump valve part hardware tool exchange batch installation liner",
            "腔体 腔 静电吸盘 吸盘 密封 聚焦环 泵 部件 设备 机台 更换 批次 安装",
        ),
        "equipment hardware chuck part exchange material 设备 部件 吸盘 备件",
    ),
    _Kept(
        "reliability",
        ("Reliability engineer", "可靠性工程师"),
        ("asks what failed, why, and when it will again", "追问什么失效、为何失效、何时再发"),
        ("causes that do not come back", "原因不再重现"),
        (
            "root cause failure alarm trend drift wear lifetime recurrence prevention verification leak",
            "根本原因 失效 报警 趋势 漂移 磨损 寿命 再发 预防 验证 泄漏",
        ),
        "root cause alarm failure prevention verification log 原因 报警 预防 泄漏",
    ),
    _Kept(
        "safety",
        ("Safety officer", "安全主管"),
        ("stops first and asks afterwards", "先停下来再讨论"),
        ("nobody is hurt and nothing is released", "无人受伤、无泄漏"),
        (
            "safety danger warning lock vent protective gloves toxic burn voltage persons emergency",
            "安全 危险 警告 上锁 放空 防护 手套 联锁 有毒 烫伤 高压 紧急",
        ),
        "safety warning danger precaution 安全 警告 注意",
    ),
    _Kept(
        "cost",
        ("Cost controller", "成本主管"),
        ("counts what everything costs, doing nothing included", "计算每件事的代价，包括不作为的代价"),
        ("money and parts spent where they pay back", "钱和备件用在值得的地方"),
        (
            "cost price eur usd budget scrap stock spare parts supplier order lead time expense savings",
            "成本 价格 费用 元 预算 报废 库存 备件 采购 供应商 交期 节省",
        ),
        "cost price spare stock supplier order 成本 价格 库存 采购 备件",
    ),
    _Kept(
        "quality",
        ("Quality statistician", "质量统计师"),
        ("wants numbers, samples and limits", "要看数据、样本和控制限"),
        ("differences that are larger than chance", "差异大于偶然波动"),
        (
            "yield percent defect particles inspection limit specification sample lot wafers measure rate",
            "良率 缺陷 颗粒 检测 检验 上限 规格 抽样 批次 晶圆 统计 测量",
        ),
        "yield quality inspection limit defect result 良率 质量 检测 缺陷",
    ),
    _Kept(
        "maintenance",
        ("Maintenance planner", "维护计划员"),
        ("thinks in intervals, hours and hands", "从周期、工时和人手出发"),
        ("work done in time, once, and properly", "按时、一次、做好"),
        (
            "maintenance interval hours clean wet clean replace schedule downtime inspect overdue service",
            "维护 保养 周期 小时 清洗 更换 计划 停机 检查 技师 到期",
        ),
        "maintenance clean interval procedure record schedule 维护 保养 清洗 周期 更换",
    ),
    _Kept(
        "throughput",
        ("Production planner", "生产计划员"),
        ("thinks in wafers per hour and promised dates", "从每小时产出和交期出发"),
        ("output that arrives when it was promised", "产出按时交付"),
        (
            "throughput output capacity planning hold queue dummy wafers time minutes per hour release",
            "产能 产出 产量 计划 排程 等待 时间 分钟 稼动率 放行 周期时间",
        ),
        "planning capacity output throughput decision 计划 产能 产出 决定",
    ),
    _Kept(
        "customer",
        ("Customer's voice", "客户代表"),
        ("asks what arrives at the customer", "关心最终到客户手里的东西"),
        ("promises kept and news told early", "兑现承诺、尽早告知"),
        (
            "customer delivery complaint shipment product target promise notice lot release agreement",
            "客户 交付 投诉 出货 产品 目标 承诺 通知 放行",
        ),
        "customer delivery complaint product target 客户 交付 产品 目标",
    ),
    _Kept(
        "regulator",
        ("Regulator", "合规审核员"),
        ("asks where that is written and who signed it", "问依据在哪里、谁签的字"),
        ("rules, records and revisions in order", "规定、记录和版本有序"),
        (
            "must procedure revision valid record approved signed limit standard document owner requirement",
            "必须 规程 规范 版本 有效 记录 批准 签字 标准 文件 负责人 要求",
        ),
        "record procedure scope purpose revision responsibility 记录 规程 规范 职责",
    ),
    _Kept(
        "data",
        ("Data scientist", "数据科学家"),
        ("looks for signals in logs before opinions", "先看日志信号，再听意见"),
        ("measurements that warn in time", "测量能及时预警"),
        (
            "sensor trend log data signal detection fdc correlation anomaly threshold screen history model",
            "传感器 趋势 日志 数据 信号 检测 相关 异常 阈值 历史 模型",
        ),
        "sensor log data trend limit fdc 数据 传感器 日志 趋势",
    ),
    _Kept(
        "newcomer",
        ("Newcomer", "新人"),
        ("asks what everybody takes for granted", "追问大家习以为常的事"),
        ("words that are explained and steps that can be followed", "解释清楚、步骤可循"),
        (
            "training introduction basics definition overview purpose explain before you start why what is",
            "培训 入门 基础 定义 概述 目的 说明 新员工 注意事项",
        ),
        "training introduction overview purpose basics 培训 概述 目的 基础",
    ),
    _Kept(
        "sceptic",
        ("Sceptic", "怀疑者"),
        ("looks for what speaks against it", "寻找反面证据"),
        ("what is open, unproven or was tried before", "未决、未证实或已尝试过的事"),
        (
            "open nobody knows not yet unknown suspects failed however but only until exception again",
            "未决 尚未 不明 没有 怀疑 失败 但是 仅 例外 未说明 再次 接近",
        ),
        "open point risk limitation question 未决 问题 风险",
        sceptic=True,
    ),
)


def library(language: str) -> tuple[Role, ...]:
    """Return the roles there are, named in the language, with a lens that reads both."""
    at = 1 if language.startswith("zh") else 0
    return tuple(
        Role(
            id=kept.id,
            name=kept.name[at],
            voice=kept.voice[at],
            cares=kept.cares[at],
            terms=(*kept.terms[at].split(), *kept.terms[1 - at].split()),
            tags=tuple(kept.reads.split()),
            sections=tuple(kept.reads.split()),
            sceptic=kept.sceptic,
        )
        for kept in _ROLES
    )


def written(text: str, language: str) -> Role:
    """Return the role a reader asked for: one of the library by id or name, or a new one.

    A new one is written "Name: what it cares about"; its lens is the words of that sentence.
    """
    wanted = text.strip()
    for tongue in (language, "en", "zh"):
        for role in library(tongue):
            if wanted.casefold() in {role.id, role.name.casefold()}:
                return role if tongue == language else known(role.id, language)
    name, _, cares = re.sub("：", ":", wanted, count=1).partition(":")
    lens = _lens(cares.strip() or name)
    return Role(
        id=f"own-{identify(wanted)[:6]}",
        name=name.strip(),
        cares=cares.strip(),
        terms=lens,
        tags=lens,
        sections=lens,
        by=READER,
    )


def known(role_id: str, language: str) -> Role:
    """Return the library's role with this id. Raises KeyError."""
    return {role.id: role for role in library(language)}[role_id]


def drafted(name: str, voice: str, cares: str, terms: tuple[str, ...], by: str) -> Role:
    """Return a role a model has thought of."""
    lens = tuple(dict.fromkeys((*terms, *_lens(cares))))[:24] or _lens(name)
    return Role(
        id=f"own-{identify(name)[:6]}",
        name=name,
        voice=voice,
        cares=cares,
        terms=lens,
        tags=lens,
        sections=lens,
        by=by,
    )


def card(role: Role) -> str:
    """Return the role in one line, as tasks hold it: id | name | cares | lens words."""
    parts = (role.id, role.name, role.cares or role.voice, " ".join(role.terms[: 2 * SHOWN]))
    return " | ".join(part.replace("|", "/") for part in parts)


def _lens(text: str) -> tuple[str, ...]:
    """Return the words a written sentence looks for, as they stand in it."""
    if is_cjk(text):
        return tuple(dict.fromkeys(content_words(text)))
    plain = re.findall(r"[\w-]+", text.lower())
    return tuple(dict.fromkeys(word for word in plain if word not in _EMPTY and content_words(word)))


_EMPTY = word_set("care cares about think thinks ask asks want wants like look looks")
