"""Countries and the adjectives of their people, so that "French" and "France" are known to agree."""

import re

_NATIONS = """
Afghanistan Afghan|Albania Albanian|Algeria Algerian|Andorra Andorran|Angola Angolan
Argentina Argentine,Argentinian|Armenia Armenian|Australia Australian|Austria Austrian
Azerbaijan Azerbaijani|Bahrain Bahraini|Bangladesh Bangladeshi|Belarus Belarusian|Belgium Belgian
Bolivia Bolivian|Bosnia Bosnian|Botswana Botswanan|Brazil Brazilian|Bulgaria Bulgarian|Cambodia Cambodian
Cameroon Cameroonian|Canada Canadian|Chile Chilean|China Chinese|Colombia Colombian|Congo Congolese
Croatia Croatian,Croat|Cuba Cuban|Cyprus Cypriot|Denmark Danish|Ecuador Ecuadorian|Egypt Egyptian
England English|Estonia Estonian|Ethiopia Ethiopian|Finland Finnish|France French|Georgia Georgian
Germany German|Ghana Ghanaian|Greece Greek|Guatemala Guatemalan|Haiti Haitian|Honduras Honduran
Hungary Hungarian|Iceland Icelandic|India Indian|Indonesia Indonesian|Iran Iranian,Persian|Iraq Iraqi
Ireland Irish|Israel Israeli|Italy Italian|Jamaica Jamaican|Japan Japanese|Jordan Jordanian
Kazakhstan Kazakh|Kenya Kenyan|Korea Korean|Kuwait Kuwaiti|Latvia Latvian|Lebanon Lebanese
Liberia Liberian|Libya Libyan|Lithuania Lithuanian|Luxembourg Luxembourgish|Macedonia Macedonian
Malaysia Malaysian|Malta Maltese|Mexico Mexican|Moldova Moldovan|Mongolia Mongolian
Montenegro Montenegrin|Morocco Moroccan|Mozambique Mozambican|Myanmar Burmese|Namibia Namibian
Nepal Nepalese,Nepali|Netherlands Dutch|New_Zealand New_Zealander|Nicaragua Nicaraguan|Nigeria Nigerian
Norway Norwegian|Pakistan Pakistani|Palestine Palestinian|Panama Panamanian|Paraguay Paraguayan
Peru Peruvian|Philippines Filipino,Philippine|Poland Polish|Portugal Portuguese|Puerto_Rico Puerto_Rican
Qatar Qatari|Romania Romanian|Russia Russian|Rwanda Rwandan|Saudi_Arabia Saudi|Scotland Scottish
Senegal Senegalese|Serbia Serbian|Singapore Singaporean|Slovakia Slovak|Slovenia Slovenian,Slovene
Somalia Somali|South_Africa South_African|South_Korea South_Korean|North_Korea North_Korean
Soviet_Union Soviet|Spain Spanish|Sri_Lanka Sri_Lankan|Sudan Sudanese|Sweden Swedish|Switzerland Swiss
Syria Syrian|Taiwan Taiwanese|Tanzania Tanzanian|Thailand Thai|Tunisia Tunisian|Turkey Turkish
Uganda Ugandan|Ukraine Ukrainian|United_Kingdom British|United_States American|Uruguay Uruguayan
Uzbekistan Uzbek|Venezuela Venezuelan|Vietnam Vietnamese|Wales Welsh|Yemen Yemeni|Zambia Zambian
Zimbabwe Zimbabwean|Hong_Kong Hongkonger
""".replace("_", " ")


def _parse(entry: str) -> tuple[str, list[str]]:
    """Read "New Zealand New Zealander" as a country and its peoples: a people begins like its country."""
    parts = entry.split(" ")
    for cut in range(1, len(parts)):
        country, people = " ".join(parts[:cut]), " ".join(parts[cut:])
        if people[:2] == country[:2] or cut == len(parts) - 1:
            return country, people.split(",")
    return entry, []


def _read() -> tuple[dict[str, str], frozenset[str]]:
    names = {"USA": "United States", "U.S.": "United States", "US": "United States", "UK": "United Kingdom"}
    peoples: set[str] = set()
    for entry in re.split(r"[|\n]", _NATIONS.strip()):
        country, people = _parse(entry.strip())
        names |= dict.fromkeys([country, *people], country)
        peoples |= set(people)
    return names, frozenset(peoples)


COUNTRIES, PEOPLES = _read()  # every name of a country or people -> the country; the adjectives alone
PATTERN = re.compile(
    r"(?<![A-Za-z])(?:" + "|".join(sorted(map(re.escape, COUNTRIES), key=len, reverse=True)) + r")(?![a-z])"
)


def nation(text: str) -> str:
    """Return the country of the first country or people a text names, "" for none."""
    match = PATTERN.search(text)
    return COUNTRIES[match.group()] if match else ""


def is_people(name: str) -> bool:
    """Say whether a name is only an adjective of nationality ("American", "Italian-American")."""
    return all(part in PEOPLES for part in re.split(r"[\s-]+", name.strip()) if part) or name in PEOPLES
