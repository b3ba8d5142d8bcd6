"""The texts shown wherever the library holds no answer."""

from core.i18n.messages import mark

NOT_ANSWERED = mark("Nothing in the library answers this.")
NOTHING_ZH = "资料库中没有能够回答这个问题的内容。"
