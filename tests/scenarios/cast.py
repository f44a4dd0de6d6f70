"""The invented people of the scenarios. What happens to them is drawn from a seed, so they always do the same."""

from tests.demo import people

MENTORS = (
    "keelwang",
    "liu-anchor",
    "zhou-sextant",
    "mei-compass",
    "wave-tuner",
    "sunli-cfd",
    "tide-pilot",
    "ledger-xu",
    "lan-graph",
    "quay-song",
    "frame-eval",
    "ir-harbour",
)

# Who can be signed in as in the demo takes part as well.
DEMO = (people.CONTRIBUTOR.login, *(other.login for other in people.OTHERS))

CROWD = (
    *(
        "tide404",
        "moss07",
        "beiwei30",
        "harbor-fox",
        "kestrel-z",
        "pengpeng-h",
        "hexo-wu",
        "oarlock",
        "lin-qiao",
    ),
    *("zw-chen", "alp18", "fern-9", "oak-12", "reef-lu", "gale-lee", "jib-zhao", "luff-sun", "starboard-xu"),
    *("yawl-qi", "mizzen-ma", "sloop-he", "ketch-gu", "brig-tan", "cutter-ye", "dory-fang", "skiff-bai"),
    *("pontoon-du", "buoy-cao", "cleat-hou", "rudder-jin", "tiller-kang", "halyard-liao", "spinnaker-mo"),
    *(
        "leeward-ning",
        "windward-ou",
        "ebb-pan",
        "neap-qu",
        "spring-rao",
        "swell-shen",
        "surge-tao",
        "drift-wan",
    ),
    *("squall-xiao", "fathom-yin", "league-zeng", "knot-ai", "beacon-bo", "lantern-cen", "foghorn-dai"),
    *(
        "quayside-en",
        "mole-fu",
        "lock-gao",
        "sluice-hao",
        "weir-jiang",
        "delta-ke",
        "estuary-lan",
        "shoal-mi",
    ),
    "sandbar-niu",
)

_FIRST_ID = 70_000_001
IDS = {login: _FIRST_ID + place for place, login in enumerate((*MENTORS, *CROWD))}
IDS |= {person.login: person.id for person in people.EVERYBODY}

SMALL_TALK = (
    "请问这题有参考实现吗？",
    "设计文档已经按意见改过了，麻烦再看一下。",
    "CI 里有一个无关的单测偶尔会挂，重跑就好。",
    "The guide helped a lot, thank you!",
    "这周在忙答辩，下周继续更新。",
    "Which shapes should the benchmark cover?",
    "学到了很多，谢谢导师！",
    "需要同时补中文文档吗？",
)
# Written as people do write; the mentor has to look.
PUZZLES = ("我想报名第十二题，可以吗？", "报名{}题和下一题", "【报名】：最后那一题")
