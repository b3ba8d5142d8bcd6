"""The set phrases of `facts`: how roles, births, deaths, places and dates are asked for and told."""

import re

ROLES = {
    "director": r"directed (?:and \w+ )?by|director(?: was| is|:)?|directorial debut of|film (?:made )?by|a "
    r"film from",
    "composer": r"composed by|music (?:was |is |score )?(?:composed )?by|soundtrack (?:was |is "
    r")?(?:composed )?by|scored by|composer|score by|written by|song by",
    "performer": r"performed by|recorded by|sung by|(?:song|single|track|album|hit|ballad|tune|release)(?: "
    r"\w+){0,3}? (?:by|from|for)|singer|by (?:the )?\w+ (?:band|singer|group|rapper)|performer",
    "singer": r"performed by|recorded by|sung by|(?:song|single|track|album)(?: \w+){0,3}? by|singer",
    "artist": r"performed by|recorded by|sung by|painted by|(?:song|single|track|album|painting|work)(?: "
    r"\w+){0,3}? (?:by|of)",
    "author": r"written by|authored by|(?:novel|book|story|poem|play|essay|work)(?: \w+){0,3}? (?:by|of)|"
    r"author",
    "writer": r"written (?:and \w+ )?by|authored by|screenplay by|(?:novel|book|story|poem|song)(?: "
    r"\w+){0,3}? by|writer",
    "producer": r"produced (?:and \w+ )?by|producer",
    "founder": r"founded (?:in \d{4} |on [\w ,]+? )?by|established (?:in \d{4} )?by|co-?founded (?:in "
    r"\d{4} )?by|started by|founders?|founded by",
    "creator": r"created by|developed by|designed by|invented by|creator|made by",
    "publisher": r"published (?:\w+ ){0,3}?by|publisher",
    "manufacturer": r"(?:manufactured|made|built|produced|developed|supplied) (?:\w+ ){0,3}?by|"
    r"manufacturer(?: "
    r"is|:)?|maker",
    "supplier": r"supplied by|provided by|delivered by|bought from|supplier(?: is|:)?|manufactured by|made "
    r"by",
    "owner": r"owned (?:and \w+ )?by|acquired by|bought by|owner",
    "employer": r"work(?:ed|s|ing) (?:as [\w ]+? )?(?:for|at|with)|employed (?:by|at)|professor (?:\w+ "
    r"){0,4}?at|teach(?:es|ing) at|taught at|joined",
    "spouse": r"married (?:to )?|wife of|husband of|widow of|(?:her|his) (?:first |second |third "
    r")?(?:husband|wife|spouse),?|wife,?|husband,?|spouse",
    "father": r"(?:son|daughter|child|children) of|father,?(?: was| is)?|born to",
    "mother": r"mother,?(?: was| is)?|(?:son|daughter|child) of [^.;]{2,70}? (?:and|by)(?: his| her)?(?: "
    r"\w+)?(?: wife,?)?|born to [^.;]{2,60}? and",
    "child": r"(?:father|mother) of|(?:son|daughter|child|children)(?: was| is|,| named|:)?",
    "brother": r"brother(?: of)?,?(?: was| is)?",
    "sister": r"sister(?: of)?,?(?: was| is)?",
    "sibling": r"(?:brother|sister|sibling)(?: of)?,?(?: was| is)?",
    "capital": r"capital (?:city )?(?:is|was|of)?",
    "headquarters": r"headquartered in|headquarters (?:is |are |in |located )*(?:in)?|based in",
    "engineer": r"(?:approved|signed|written|raised|reported|done|checked|responsible|owner)(?: is)?:? "
    r"?(?:by)?|engineer",
}
SAME_ROLE = {
    "wife": "spouse",
    "husband": "spouse",
    "partner": "spouse",
    "son": "child",
    "daughter": "child",
    "parent": "father",
    "maker": "manufacturer",
    "vendor": "supplier",
    "screenwriter": "writer",
    "inventor": "creator",
    "designer": "creator",
    "developer": "creator",
    "manufactured": "manufacturer",
}
DEEDS = {
    "directed": "director",
    "composed": "composer",
    "performed": "performer",
    "sings": "performer",
    "sang": "performer",
    "sung": "performer",
    "wrote": "author",
    "written": "author",
    "produced": "producer",
    "founded": "founder",
    "created": "creator",
    "invented": "creator",
    "developed": "creator",
    "published": "publisher",
    "made": "manufacturer",
    "manufactured": "manufacturer",
    "owns": "owner",
    "married": "spouse",
    "supplies": "supplier",
    "supplied": "supplier",
}
_ASKED = (
    ("lifespan", r"dates of birth and death"),
    (
        "born on",
        r"^when (?:was|is|were) .+ born|birth ?day|date of birth|birth date|^(?:what|which) year "
        r"was .+ born",
    ),
    ("died on", r"^when did .+ die|date of death|death date|^(?:what|which) year did .+ die"),
    (
        "born in",
        r"^where (?:was|is|were) .+ born|place of birth|birthplace|(?:city|town|country) of birth|"
        r"^(?:in )?(?:what|which) (?:city|town|place|country|state) was .+ born",
    ),
    (
        "died in",
        r"^where did .+ die|place of death|^(?:in )?(?:what|which) (?:city|town|place|country|"
        r"state) did .+ die",
    ),
    ("buried in", r"^where (?:was|is) .+ buried|place of burial"),
    (
        "studied at",
        r"^where did .+ (?:study|graduate)|\b(?:study|studied|educated|graduated?|alma mater)\b|"
        r"^what (?:school|university|college) did .+ attend",
    ),
    ("lies in", r"^where is .+ (?:located|based|situated|headquartered)$|^where is \S+$"),
    ("employer", r"^where (?:does|did) .+ work\b"),
    (
        "nation",
        r"\bnationality\b|citizenship|^(?:which|what) country .*\bfrom$|^(?:from )?(?:which|what) "
        r"country is .+ from|^where is .+ from$",
    ),
    ("country", r"^(?:in )?(?:which|what) country is .+|country of origin"),
    (
        "released on",
        r"^when was .+ (?:released|published|founded|established|opened|built|formed|created)|^when "
        r"did .+ come out",
    ),
)
ASKS = tuple((key, re.compile(pattern)) for key, pattern in _ASKED)
ROLE_ASKED = re.compile(r"\b(" + "|".join([*ROLES, *SAME_ROLE]) + r")s?\b")
DEED_ASKED = re.compile(
    r"^(?:who|which \w+|what \w+|whom) (?:has |had |is |was |did )?(?:also )?(" + "|".join(DEEDS) + r")\b"
)
LIFE = re.compile(r"\(\s?([^()]{4,160})\)?")
PLACE_AFTER = {
    "born in": re.compile(
        r"\bborn\b[^.;]{0,60}?\b(?:in|at|near)\s(?!\d)|\bnative of\s|\bborn (?:and raised )?in\s"
    ),
    "died in": re.compile(r"\b(?:died|death|killed|dies)\b[^.;]{0,60}?\b(?:in|at|near)\s(?!\d)"),
    "buried in": re.compile(r"\b(?:buried|interred|entombed)\b[^.;]{0,40}?\b(?:in|at|near)\s"),
    "studied at": re.compile(
        r"\b(?:studied|educated|graduated?|attended|degree|alumnus|schooling|"
        r"student)\b[^.;]{0,50}?\b(?:at|from|of|attended|in)\s(?:the )?"
    ),
}
FEMALE = re.compile(
    r"^(?:Princess|Queen|Lady|Duchess|Countess|Empress|Archduchess|Infanta|Marchioness|Baroness|Mrs|Miss)\b"
)
STATES = re.compile(
    r", (?:Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|"
    r"Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|"
    r"Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New "
    r"(?:Hampshire|Jersey|Mexico|York)|(?:North|South) (?:Carolina|Dakota)|Ohio|Oklahoma|Oregon|"
    r"Pennsylvania|Rhode Island|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|"
    r"Wisconsin|Wyoming|Ontario|Quebec)\b"
)
