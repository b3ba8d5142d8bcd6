"""Words that say one thing in another form: "director", "directed"; "wife", "married"; "when", "born"."""

from functools import lru_cache

from core.text.tokens import words

_FAMILIES = """
director direct directed directs helmed filmmaker
composer compose composed composes composition
writer write wrote written writes author authored screenplay penned
performer perform performed performs singer sing sang sung sings recorded artist
producer produce produced produces production
founder found founded founds establish established co-founded
creator create created creates creation
owner own owned owns
maker make made makes manufacturer manufacture manufactured manufactures
supplier supply supplied supplies vendor provided provide 供应商 供货 供应
publisher publish published publication
inventor invent invented invention
designer design designed architect
developer develop developed development
discoverer discover discovered discovery
leader lead led leads head headed
employer employ employed employee work worked works job
killer kill killed murder murdered
winner win won wins
owner acquire acquired bought buy purchase purchased acquisition
birth born birthplace birthday birthdate
death die died dies dead deceased
spouse wife husband married marry marries wedding wed
father son daughter child children parent dad
mother son daughter child children parent mum
sibling brother sister
nationality citizenship national citizen
country nation republic
location located situated lies place site
start started begin began begun commence opened
end ended finish finished closed conclude
cause caused causes reason due led leads result resulted
replace replaced replaces replacement swap exchanged
install installed installation mounted
repair repaired fix fixed
approve approved approval signed sign
responsible responsibility owner charge
occur occurred happen happened happens
increase increased rise rose grew growth
decrease decreased fall fell drop dropped decline
population inhabitants people residents
capital seat
headquarters headquartered based
school educated attended studied education graduated study alma university college
language spoken speak speaks
play played plays starred stars portrayed character role cast
album released release record
name named called known title
many number count
cost price costs priced
require required requires need needs needed must
allowed allow permitted permit may
measure measured measurement
last lasted duration takes take
age old aged
action done do
gas gases
decide decided decision decisions agree agreed resolve resolved 决定 决议
召开 举行 举办 日期
meeting 会议 周会 例会
attend attended attendees attendance participants participant participated present 参加 出席 与会
protective protection protect gloves goggles apron mask helmet
size diameter dimension dimensions
average mean 平均值 平均
total sum 总计 合计
number count 数量
highest maximum 最高值
lowest minimum 最低值
median 中位数
"""
# A word whose form is irregular, with the figure it asks for.
_MEASURES = {
    "tall": "height",
    "high": "height",
    "long": "length",
    "wide": "width",
    "deep": "depth",
    "heavy": "weight",
    "hot": "temperature",
    "fast": "speed",
    "far": "distance",
    "large": "area",
    "much": "cost",
    "old": "age",
    "often": "interval",
}


@lru_cache(maxsize=1)
def families() -> dict[str, frozenset[str]]:
    """Return for each stem the stems of its family, itself left out."""
    table: dict[str, set[str]] = {}
    lines = [line.split() for line in _FAMILIES.strip().splitlines()] + [
        list(pair) for pair in _MEASURES.items()
    ]
    for line in lines:
        stems = {word for said in line for word in words(said)}
        for word in stems:
            table.setdefault(word, set()).update(stems - {word})
    return {word: frozenset(kin) for word, kin in table.items()}
