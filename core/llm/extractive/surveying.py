"""Questions about documents as a whole."""

import re

_SURVEY = re.compile(
    r"\b(?:summari[sz]e|summary of|overview|survey of|sum up|main (?:topics?|subjects?|themes?|points?)|"
    r"key (?:points?|findings)|"
    r"what (?:is|are) (?:the |this |these |my )?(?:library|documents?|corpus|collection) about|"
    r"what is (?:known|said|written) (?:about|on)|tell me (?:all|everything) about)\b"
    r"|\bwhat (?:does|do) the (?:library|documents?|sources?|reports?) say (?:about|on)\b"
    r"|概述|综述|总结|概括|总体情况|主要(?:内容|主题|观点)|讲了什么|说了些什么|有哪些说法",
    re.IGNORECASE,
)


def surveys(question: str) -> bool:
    """Say whether a question asks for all that is said on a subject."""
    return _SURVEY.search(question) is not None
