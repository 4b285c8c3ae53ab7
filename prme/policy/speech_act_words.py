"""The words by which the speech-act gate tells assertions from questions, conditionals, reports and wishes (SPEC 5).

All entries are folded text: lower case, straight apostrophes, one blank between words; found as whole words.
"""

from __future__ import annotations

from dataclasses import dataclass

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SpeechActWords:
    """Every word list of the gate, as data of a policy.

    Attributes:
        question_marks: marks that make the text up to them a question.
        auxiliaries: verbs that begin a question when the subject follows them ("do I", "is Nadia").
        inverted_conditionals: of these, the ones that begin a condition instead ("had I", "should you").
        question_openers: phrases that begin a question without inversion.
        question_words: words that begin a question when an auxiliary and a subject follow within three words.
        discourse_openers: words before the first word that matters ("so", "well"), also before a condition.
        nominatives: pronouns that are the subject of what follows or precedes them.
        conditionals: words that put what is said under a condition.
        indirect_questions: "see if" and its like: an `if` that concerns only what follows it.
        comment_clauses: an `if` about the speaking; it does not count when set off by punctuation on both sides.
        modal_verbs: verbs of possibility; they concern what follows them.
        lower_case_modal_verbs: the same, but only when not capitalised: May and Will are names.
        modal_adverbs: words of doubt and supposition; they concern everything up to a contrast.
        doubt_exceptions: phrases whose word of doubt or intention says nothing about the claim.
        intentions: phrases that announce, wish or attempt; they concern what follows them.
        lower_case_intentions: the same, but only when not capitalised.
        wish_verbs: verbs that wish somebody something: "want Nadia to".
        destinations: words that make "going to" a journey when they follow it.
        attempt_predicate_words: words in a predicate that keep the attempt or intention.
        contrasts: words that end what a doubt or another person's words cover.
        clause_openers: words that, like a comma, let a new clause with its own subject begin.
        hearsay: words that mark a statement as another's, wherever they stand.
        hearsay_exceptions: phrases of that kind that name the speaker.
        saying_verbs: verbs of saying and thinking that take a clause, one tuple of forms per verb.
        object_verbs: verbs of saying, writing and asking that take an object as readily as a clause.
        hearing_verbs: verbs of hearing and reading: hearsay also in the first person.
        noun_forms: forms of these verbs that are nouns after a determiner.
        past_beliefs: forms by which a speaker tells what he believed before.
        believing_forms: forms of thinking; denied by the speaker they leave a doubt, not a report.
        participles: forms that report without a sayer after a form of be: "is said to".
        be_forms: forms of be.
        verb_companions: auxiliaries and adverbs between a subject and its verb.
        negations: companions that deny the verb.
        determiners: words after which a verb form is a noun.
        coordinators: words before a verb that shares the subject of the verb before it.
        expletives: pronouns that stand for nobody ("it is fair to say").
        set_phrases: phrases with a verb of saying that report nothing.
        clause_objects: words between a verb and the clause it reports.
        object_prepositions: words after a verb of saying that introduce a topic, not a clause.
        afterthoughts: words that may follow the verb of a report that trails behind what it reports.
    """

    question_marks: Words
    auxiliaries: Words
    inverted_conditionals: Words
    question_openers: Words
    question_words: Words
    discourse_openers: Words
    nominatives: Words
    conditionals: Words
    indirect_questions: Words
    comment_clauses: Words
    modal_verbs: Words
    lower_case_modal_verbs: Words
    modal_adverbs: Words
    doubt_exceptions: Words
    intentions: Words
    lower_case_intentions: Words
    wish_verbs: Words
    destinations: Words
    attempt_predicate_words: Words
    contrasts: Words
    clause_openers: Words
    hearsay: Words
    hearsay_exceptions: Words
    saying_verbs: tuple[Words, ...]
    object_verbs: tuple[Words, ...]
    hearing_verbs: tuple[Words, ...]
    noun_forms: Words
    past_beliefs: Words
    believing_forms: Words
    participles: Words
    be_forms: Words
    verb_companions: Words
    negations: Words
    determiners: Words
    coordinators: Words
    expletives: Words
    set_phrases: Words
    clause_objects: Words
    object_prepositions: Words
    afterthoughts: Words


def _words(text: str) -> Words:
    return tuple(text.split())


def _phrases(text: str) -> Words:
    return tuple(phrase.strip() for phrase in text.split(","))


SPEECH_ACT_WORDS_V14 = SpeechActWords(
    question_marks=("?", "\u061f", "\u203d", "\u2e2e", "\u055e"),
    auxiliaries=_words(
        "do does did don't doesn't didn't is isn't are aren't am was wasn't were weren't have haven't has hasn't had "
        "hadn't can can't could couldn't will won't would wouldn't shall shan't should shouldn't may might must "
        "mustn't"
    ),
    inverted_conditionals=_words("had were should"),
    question_openers=_phrases("how come, how about, what about, what if, why not, guess what, guess who"),
    question_words=_words("what when where which who whom whose why how"),
    discourse_openers=_words(
        "so and but or well ok okay hey hi hello please um uh oh yes no yeah btw also then now though except "
        "especially particularly only just however anyway"
    ),
    nominatives=_words(
        "i we you he she it they there this that these those someone somebody anyone anybody everyone everybody"
    ),
    conditionals=_phrases(
        "if, iff, even if, only if, not sure if, unless, provided that, providing that, as long as, so long as, "
        "assuming, supposing, in case, in the event that, on condition that, on the condition that, whether"
    ),
    indirect_questions=_phrases(
        "see if, check if, find out if, figure out if, know if, tell me if, ask if, test if, verify if, decide if"
    ),
    comment_clauses=_phrases(
        "if you ask me, if you must know, if i may say so, if i'm honest, if i am honest, if you were wondering, "
        "if you're wondering, if you are wondering, in case you were wondering, in case you're wondering, "
        "in case you are wondering"
    ),
    modal_verbs=_words("might could would should"),
    lower_case_modal_verbs=("may",),
    modal_adverbs=_phrases(
        "perhaps, maybe, possibly, probably, presumably, potentially, conceivably, likely, used to think, "
        "used to believe, used to assume, not sure, unsure, not certain, uncertain, "
        "doubt, doubts, doubtful, hypothetically, theoretically, in theory, imagine, suppose, "
        "let's say, pretend, wish, wishes, not true that, isn't true that, untrue that, false that, not the case that, "
        "isn't the case that, a lie that, as though"
    ),
    doubt_exceptions=_phrases(
        "could you, could u, could we, could someone, could somebody, could anyone, would you, would you mind, "
        "would say, should say, would prefer, would rather, might add, may add, could not care less, could care less, "
        "no doubt, without doubt, without a doubt, let me tell you, let me know"
    ),
    intentions=_phrases(
        "going to, gonna, want to, wants to, wanted to, wanting to, wanna, plan to, plans to, planned to, planning to, "
        "plan on, plans on, planning on, hope to, hopes to, hoped to, hoping to, hope, hopes, hoping, intend to, "
        "intends to, intended to, intending to, intend on, aim to, aims to, aiming to, about to, try to, tries to, "
        "tried to, trying to, attempt to, attempts to, attempted to, attempting to, would like to, 'd like to, would "
        "love to, 'd love to, would like, thinking of, thinking about, think of, think about, thinks of, thinks about, "
        "thought of, thought about, promise to, promises to, promised to, considering, looking to, looking forward to, "
        "need to, needs to, needed to, supposed to, ought to, dream of, dreaming of, dreams of, tempted to, keen to, "
        "eager to, hesitant to, let me, let's, let us, 'll, will not, won't"
    ),
    lower_case_intentions=("will",),
    wish_verbs=_phrases(
        "want, wants, wanted, need, needs, needed, expect, expects, would like, 'd like, would love, 'd love"
    ),
    destinations=_words("a an the my your his her our their this that some school work bed church college university"),
    attempt_predicate_words=_words(
        "going gonna want wants wanted wanting wanna plan plans planned planning hope hopes hoped hoping intend "
        "intends intended intending intention aim aims aiming goal try tries tried trying attempt attempts attempted "
        "attempting would will think thinks thinking consider considers considered considering look looking need needs "
        "needed should supposed ought dream dreams dreaming wish wishes tempted keen eager"
    ),
    contrasts=_words("but however whereas although though"),
    clause_openers=_words("and but so because since although though"),
    hearsay=_phrases(
        "according to, apparently, supposedly, reportedly, allegedly, purportedly, rumor has it, rumour has it, "
        "word has it, word is, legend has it, by all accounts"
    ),
    hearsay_exceptions=_phrases("according to me, according to myself, according to plan"),
    saying_verbs=tuple(
        _words(forms)
        for forms in (
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
    ),
    object_verbs=tuple(
        _words(forms)
        for forms in (
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
            "rumor rumored",
            "rumour rumoured",
        )
    ),
    hearing_verbs=tuple(
        _words(forms) for forms in ("hear hears heard hearing", "read reads reading", "overhear overhears overheard")
    ),
    noun_forms=_words(
        "say tell claim claims report reports state states note notes post posts text texts tweet tweets mention "
        "mentions promise promises thought guess guesses suspect suspects read reads reading hearing saying thinking "
        "telling writing answer answers reply replies figure figures rumor rumour feel asking reporting wonder wonders"
    ),
    past_beliefs=_words("thought believed assumed supposed guessed reckoned figured suspected"),
    believing_forms=_words(
        "think thinks thinking believe believes believing suppose guess assume reckon suspect feel figure"
    ),
    participles=_words(
        "said told thought believed claimed alleged assumed suspected reckoned reported rumored rumoured heard "
        "mentioned stated noted announced confirmed written"
    ),
    be_forms=_words("is are was were am be been being isn't aren't wasn't weren't 'm 're"),
    verb_companions=_words(
        "have has had having haven't hasn't hadn't do does did don't doesn't didn't is are was were am be been being "
        "isn't aren't wasn't weren't will would could should might may must can can't cannot couldn't wouldn't won't "
        "not never also just always often really even still already actually honestly only sometimes usually recently "
        "once first ever hardly barely definitely clearly certainly simply kinda sorta rather now both all"
    ),
    negations=_words(
        "not never don't doesn't didn't haven't hasn't hadn't can't cannot couldn't wouldn't won't isn't aren't wasn't "
        "weren't hardly barely"
    ),
    determiners=_words(
        "a an the my your his its our their this these those no some any each every another of in on for with by from "
        "at without good great nice quick long second last"
    ),
    coordinators=_words("and or but then so nor plus"),
    expletives=_words("it that this"),
    set_phrases=(
        *_phrases(
            "that is to say, needless to say, sad to say, suffice to say, suffice it to say, so to say, so to speak, "
            "goes without saying, having said that, that being said, when all is said and done"
        ),
        "that said,",
    ),
    clause_objects=_words(
        "me us him her them you everyone everybody somebody someone people somewhere recently today yesterday"
    ),
    object_prepositions=_words("about of in with for through over at"),
    afterthoughts=_words(
        "me us him her them you so it everyone somebody someone once again today yesterday recently earlier before "
        "somewhere anyway"
    ),
)
"""The word lists of `speech_act_v14`; `speech_act_v13` reads with the same eyes."""
