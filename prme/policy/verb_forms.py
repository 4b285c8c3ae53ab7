"""The verbs of the speech-act gate with their forms: verbs that report, and forms that tell a past from a present.

All entries are folded text: lower case, straight apostrophes.
"""

from __future__ import annotations

Words = tuple[str, ...]


def _words(text: str) -> Words:
    return tuple(text.split())


def _verbs(*forms: str) -> tuple[Words, ...]:
    return tuple(tuple(verb.split()) for verb in forms)


SAYING_VERBS = _verbs(
    "say says said saying",
    "tell tells told telling",
    "think thinks thought thinking",
    "believe believes believed believing",
    "claim claims claimed claiming",
    "insist insists insisted insisting",
    "swear swears swore sworn",
    "assume assumes assumed",
    "suppose supposes",
    "guess guesses guessed",
    "reckon reckons reckoned",
    "suspect suspects suspected",
    "allege alleges alleged",
)
OBJECT_VERBS = _verbs(
    "mention mentions mentioned mentioning",
    "report reports reported reporting",
    "state states stated",
    "suggest suggests suggested",
    "note notes noted",
    "explain explains explained",
    "argue argues argued",
    "admit admits admitted",
    "deny denies denied",
    "confirm confirms confirmed",
    "announce announces announced",
    "promise promises promised",
    "complain complains complained",
    "warn warns warned",
    "reply replies replied",
    "answer answers answered",
    "ask asks asked asking",
    "wonder wonders wondered wondering",
    "write writes wrote written writing",
    "post posts posted",
    "text texts texted",
    "tweet tweets tweeted",
    "feel feels felt",
    "figure figures figured",
    "advise advises advised advising",
    "recommend recommends recommended recommending",
    "urge urges urged",
    "dream dreams dreamed dreamt",
    "dispute disputes disputed",
    "joke jokes joked joking",
    "pretend pretends pretended pretending",
    "rumor rumored",
    "rumour rumoured",
)
HEARING_VERBS = _verbs("hear hears heard hearing", "read reads reading", "overhear overhears overheard")
# Only forms that differ from the base: "put", "quit" and "read" do not tell which they are.
IRREGULAR_PASTS = _words(
    "was were been had did done gone went came arose arisen awoke awoken ate eaten beaten began begun bent bit "
    "bitten blew blown bought bound bred broke broken brought built burnt caught chose chosen clung crept dealt "
    "drank drunk drawn drew dreamt driven drove dug fallen fed fell felt fled flew flown fought found forbade "
    "forbidden forgave forgiven forgot forgotten froze frozen gave given got gotten grew grown heard held hidden "
    "hung kept knelt knew known laid lain learnt led left lent lit lost made meant met mistaken mistook paid proven "
    "ran rang ridden rode risen rose rung said sang sank sat saw seen sent shaken shone shook shot shown shrank "
    "shrunk slept slid sold sought sped spent spoke spoken spilt spoilt sprang sprung spun stole stolen stood "
    "struck stuck stung sung sunk swam swum swept swollen swore sworn swung taken took taught thought threw thrown "
    "told tore torn understood undergone underwent undertaken undertook upheld withdrawn withdrew woke woken won "
    "wore worn wept written wrote"
)
BASE_FORMS_IN_ED = _words("need feed bleed breed speed seed weed heed embed shed wed shred exceed proceed succeed")
