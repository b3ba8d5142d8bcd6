"""Tells persons from things by the noun a definition ends in: "an American film director" is somebody."""

import re

from core.text.tokens import word_set

_PERSONS = word_set(
    """academic activist actor actress administrator admiral adventurer advocate aide ambassador analyst
    anthropologist archaeologist archbishop architect artist astronaut astronomer athlete author aviator
    bandleader banker baron baseballer bassist biochemist biologist bishop botanist boxer broadcaster
    brother businessman businessperson businesswoman cardinal cartoonist catcher ceo chairman chairperson
    chancellor chef chemist choreographer cinematographer clergyman coach columnist comedian commander
    commentator commissioner composer conductor congressman consultant correspondent cricketer critic
    curator cyclist dancer daughter deejay defender designer dictator diplomat director dj doctor
    dramatist drummer duchess duke earl economist editor educator emperor empress engineer entertainer
    entrepreneur essayist ethnologist executive explorer farmer father fencer filmmaker footballer
    founder friend general geneticist geographer geologist geophysicist goalkeeper golfer governor
    grandmaster guitarist gymnast halfback historian host humorist husband illustrator industrialist
    instructor inventor investor jockey journalist judge jurist keyboardist king knight lawyer leader
    lecturer librarian lieutenant linebacker linguist lyricist magician magistrate man manager
    mathematician mayor merchant meteorologist midfielder minister missionary model mother musician
    musicologist naturalist navigator neuroscientist newscaster nobleman noblewoman novelist nun nurse
    oceanographer officer official outfielder painter paleontologist pastor patriot performer person
    personality philanthropist philosopher photographer physician physicist physiologist pianist pilot
    pioneer pitcher player playwright poet politician pope preacher premier presenter president priest
    prince princess printmaker producer professor programmer psychiatrist psychologist publisher
    quarterback queen rabbi racer rapper referee reformer reporter researcher revolutionary rower ruler
    runner sailor saint saxophonist scholar scientist screenwriter scriptwriter sculptor secretary
    senator settler shortstop singer singer-songwriter sister skier soccer sociologist soldier son
    songwriter soprano sovereign sportsman sprinter spy statesman storyteller strategist striker sultan
    surgeon surveyor swimmer teacher technician tenor theologian theorist trader translator trumpeter
    violinist viscount vocalist weightlifter wicketkeeper wife winger woman wrestler writer zoologist"""
)
_THINGS = word_set(
    """abbey ability academy acid age agency agreement airline airport alarm album alliance alloy amount
    ancestor anthology app area arena army article association asteroid award band bank base battle bay
    beach beverage bill bone book borough brand bridge broadcaster building bus business cable campaign
    campus canal cantonment capital car cartoon castle cathedral cause center centre century ceremony
    chain chamber championship channel charity chemical chip chuck church circuit city cleaner club
    coalition code coin collection college colony comedy comic commission committee community company
    competition component compound computer concept confederation conference conflict constituency
    continent contract cooperative corporation council country county course court crater creek currency
    cycle dam defect department depth desert device dialect dictionary diocese disaster discipline
    disease dish dispute distance district division document dog drama drink driver duo duration dynasty
    edition effort election element empire engine enzyme epic episode equipment era essay estate event
    examination exhibition expedition facility factory family farm federation festival field figure film
    filter firm fish flag flower food force forest format fort fortress forum foundation franchise
    frequency fruit function fungus furnace gallery game garden gas gene generator genre genus glacier
    goal government grape group gulf hall hamlet harbor height highway hill holiday home hormone horse
    hospital hotel house hymn idea illness incident industry initiative institute institution instrument
    insurer interface island issue journal kingdom label laboratory lagoon lake language law layer league
    length library lighthouse limit line liquid list location machine magazine mall manga manual
    manufacturer map market material meal measure medal medication meeting memoir memorial metal method
    metro mill mine mineral mission mixture module monastery monument mosque motorcycle mountain movement
    movie municipality muscle museum musical mycotoxin name nation neighborhood neighbourhood network
    newspaper non-profit nonprofit novel novella number opera operation orchestra order organ
    organisation organization oxide palace paper parameter parish park part party peak peninsula period
    phase pipe plain plane planet plant plateau play plaza poem policy pond port portal position powder
    practice prefecture pressure principle prison procedure process product program programme project
    property prophecy protein protocol province publication pump quarter quartet race radio railway ranch
    range rate rating ratio reactor reason rebellion recipe record reef reform regiment region religion
    remake report republic reserve reservoir resort restaurant result revolt revolution ring rite ritual
    river road robot rock rocket route rule sample sanctuary satellite scandal school science sea seaport
    season section sensor sequel serial series server service settlement shell ship shop short show sign
    single sitcom site soap society software soil song soundtrack species speed sport square stadium
    standard star state statement station statue step stop store story strait strategy stream street
    structure studio study style subdistrict subgenus subsidiary substance suburb suite supplier survey
    symbol system tale talk tank target tax team technique telecast temperature temple term territory
    test theater theatre theme theory thriller tissue title tool tournament tower town township toy trade
    tradition transition treaty tree tribe tributary trilogy trio trophy troupe tube tunnel type unit
    university vaccine valley value valve variety vehicle venue version vessel video village violation
    volcano volume wafer wall war waterfall watershed weapon website week weight width wine wire work
    year zone zoo"""
)  # fmt: skip
_MOST_HEADS = 3  # nouns joined by commas and "and"
_ENDS = re.compile(
    r",|;|\.|\(|\b(?:of|in|from|by|for|who|which|that|at|on|with|to|as|and|or|where|whose|about|between|near|"
    r"under|during|within|based|set|situated|located|starring|featuring|containing|comprising|consisting|"
    r"serving|published|directed|written|produced|released|known|born|founded|made|built|held|used|situated|"
    r"owned|operated|developed|designed|created|sung|recorded|performed|commissioned|organized|found|named|"
    r"called|formed|played|who|along|after|before|since|through|into|is|was|are)\b"
)


def kind_of(phrase: str) -> str:
    """Return "person" or "thing" by the nouns a phrase with an article ends in, "" where none is known.

    "an American film and television actor" is somebody: of nouns that are joined a person's counts.
    """
    _, _, words = phrase.partition(" ")
    kinds: list[str] = []
    while words and len(kinds) < _MOST_HEADS:
        end = _ENDS.search(words)
        last = (words[: end.start()] if end else words).split()[-1:]
        kinds.append(_kind_of_head(last[0].strip("\"“”'’")) if last else "")
        if end is None or end.group() not in {",", "and", "or"}:
            break
        words = words[end.end() :].strip()
    return "person" if "person" in kinds else kinds[0] if kinds else ""


def _kind_of_head(head: str) -> str:
    if head in _PERSONS:
        return "person"
    return "thing" if head in _THINGS else ""
