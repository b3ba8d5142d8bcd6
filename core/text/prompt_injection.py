"""Detects prompt injection: text that gives orders to an assistant, in English and Chinese."""

import re

ORDERS = re.compile(
    r"""(?ix)
    \b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}
        \b(?:previous|prior|above|earlier|all|any|your|other)\b[^.\n]{0,30}
        \b(?:instructions?|prompts?|rules?|context|messages?|documents?)\b
    | \b(?:you\s+are\s+now|act\s+as\s+(?:an?\s+)?(?:ai|assistant|model|system))\b
    | \b(?:system\s+prompt|developer\s+message|jailbreak)\b
    | \b(?:assistant|ai|model|llm)\b[^.\n]{0,20}\b(?:must|should|shall)\b[^.\n]{0,20}
        \b(?:answer|reply|say|respond|output|tell|reveal)\b
    | \b(?:do\s+not|don't|never)\s+(?:tell|reveal|mention\s+to)\s+the\s+user\b
    | <\|?(?:im_start|system|assistant|endoftext)\|?>
    | (?:忽略|无视|忘记|不要理会)[^。\n]{0,12}(?:指令|指示|提示|规则|要求|说明)
    | 你现在是[^。\n]{0,12}(?:助手|模型|系统)
    """
)
