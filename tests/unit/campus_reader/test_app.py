"""The app as the core sees it: contracts load, and the plans of many sentences pass the plan checker."""

import pytest

from surefoot.contracts import Registry
from surefoot.planning import check_plan
from surefoot_campus.app import app, permissions

SENTENCES = [
    "我明天上午第二节没课，想找一个空研讨间做小组展示排练，排练结束后再推荐一个附近人少、味道不错的食堂，帮我把时间安排好。",
    "I have no class tomorrow in period 2. Book a seminar room for 5 and then recommend a canteen that is not crowded.",
    "明天下午两点到四点订一间东区的研讨间，四个人，要投影和白板",
    "帮我约一下B-203，明天下午2点到4点",
    "今晚七点到九点找个自习室，刷题之前想先吃个晚饭，别太辣，十五块以内，走路别超过十分钟",
    "下周一到周三每天晚上七点到九点帮我找自习室，一个人",
    "我明天几点下课？下课以后帮我找个自习室",
    "veggie options near the library?",
    "六点去东区吃清真，不要西餐",
    "看看我的课表",
    "我明天有课吗",
    "我都约了哪些房间来着",
    "取消周五的研讨间",
    "我后天那个从三点挪到四点行吗",
]


@pytest.fixture(scope="module")
def registry() -> Registry:
    """The campus' contracts with their functions."""
    return app.registry()


@pytest.mark.parametrize("text", SENTENCES)
async def test_the_checker_accepts_the_plan(proposes, registry: Registry, text: str) -> None:
    proposal = await proposes(text)
    assert proposal.plan, proposal
    refusals = check_plan(
        proposal.plan, registry, permissions=permissions("student"), slots=proposal.slots, choices=tuple(app.choices)
    )
    assert [refusal.to_json() for refusal in refusals] == []


def test_every_permission_that_a_contract_asks_for_is_one_of_the_app(registry: Registry) -> None:
    assert {registry.contract(name).permission for name in registry.names()} <= permissions("student")


def test_every_argument_of_a_write_has_a_name_for_people(registry: Registry) -> None:
    writes = [registry.contract(name) for name in registry.names() if registry.contract(name).is_write]
    assert {argument for contract in writes for argument in contract.parameters} <= app.labels.keys()
