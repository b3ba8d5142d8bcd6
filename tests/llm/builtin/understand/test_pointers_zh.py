"""该公司, 这份报告, 此人 of a second Chinese question, by what the first asks or says."""

import pytest

POINTERS = {
    "X-9泵由谁维修，该公司在哪里？": ["X-9泵由谁维修？", "#1在哪里？"],
    "谁维修了泵，这家公司在哪里？": ["谁维修了泵？", "#1在哪里？"],
    "谁批准了 SOP-12，此人在哪个部门？": ["谁批准了 SOP-12？", "#1在哪个部门？"],
    "哪份报告记录了裂纹，该文件由谁批准？": ["哪份报告记录了裂纹？", "#1由谁批准？"],
    "哪个部门负责审计，该部门的主管是谁？": ["哪个部门负责审计？", "#1的主管是谁？"],
    "谁写了缺陷报告，该报告的结论是什么，该作者在哪个部门？": [
        "谁写了缺陷报告？",
        "缺陷报告的结论是什么？",
        "#1在哪个部门？",
    ],
    "X-9泵由谁维修，该泵何时安装？": ["X-9泵由谁维修？", "X-9泵何时安装？"],
    "哪台设备加工了批次 L25，该批次的良率是多少？": [
        "哪台设备加工了批次 L25？",
        "批次 L25的良率是多少？",
    ],
    "谁批准了SOP-12，该规程何时生效？": ["谁批准了SOP-12？", "SOP-12何时生效？"],
    "3月21日夜班DC-05做了多少合格件，多少废品？": [
        "3月21日夜班DC-05做了多少合格件？",
        "3月21日夜班DC-05多少废品？",
    ],
    "谁翻新了礼堂，该剧院何时开放？": ["谁翻新了礼堂？", "翻新了礼堂，该剧院何时开放？"],
}


@pytest.mark.parametrize("question", POINTERS)
def test_what_a_second_question_points_to_is_put_in_its_place(read, question):
    assert [part.question for part in read(question).parts] == POINTERS[question]
