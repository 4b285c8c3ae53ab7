"""The words by which the speech-act gate tells assertions from questions, conditionals, reports and wishes (SPEC 5).

All entries are folded text: lower case, straight apostrophes, one blank between words; found as whole words.
"""

from __future__ import annotations

from dataclasses import dataclass

from prme.policy.spellings import (
    CONTRACTION_EXCEPTIONS,
    CONTRACTIONS,
    DOUBTFUL_CONTRACTIONS,
    TYPED_SPELLINGS,
)
from prme.policy.verb_forms import (
    BASE_FORMS_IN_ED,
    HEARING_VERBS,
    IRREGULAR_PASTS,
    OBJECT_VERBS,
    SAYING_VERBS,
    Words,
)


@dataclass(frozen=True, slots=True, eq=False)
class SpeechActWords:
    """Every word list of the gate, as data of a policy.

    Attributes:
        question_marks: marks that make the text up to them a question.
        inner_question_marks: marks that stand inside a word and ask the whole sentence.
        question_endings: endings that make a sentence a question without a mark.
        auxiliaries: verbs that begin a question when the subject follows them ("do I", "is Nadia").
        inverted_conditionals: of these, the ones that begin a condition instead ("had I", "should you").
        question_openers: phrases that begin a question without inversion.
        question_words: words that begin a question when an auxiliary and a subject follow within three words.
        discourse_openers: words before the first word that matters ("so", "well"), also before a condition.
        nominatives: pronouns that are the subject of what follows or precedes them.
        conditionals: words that put what is said under a condition.
        time_clauses: words that begin a time clause; in the present tense it tells of what is to come.
        future_time_clauses: the same, but only beside a word of the time to come ("when I stop, I will").
        coming_times: times to come, right after the object or before the subject of a clause in the present.
        perfects: auxiliaries of a present perfect, which in a time clause is still to come.
        clause_subjects: pronouns that are never an object and so begin a clause of their own.
        time_clause_exceptions: phrases with such a word that begin no clause.
        indirect_questions: "see if" and its like: an `if` that concerns only what follows it.
        comment_clauses: an `if` about the speaking; it does not count when set off by punctuation on both sides.
        modal_verbs: verbs of possibility; they concern what follows them.
        lower_case_modal_verbs: the same, but only when not capitalised: May and Will are names.
        disclaimers: phrases that deny or doubt the clause after them; they concern what follows them.
        denying_forms: forms by which a speaker denies a clause; denied themselves they leave no doubt.
        near_misses: adverbs that say that what follows them did not happen; they concern what follows them.
        unchanged_pasts: past forms that are the base form too: only after such an adverb are they read as a past.
        seemings: phrases by which something seems so; they concern what follows them, or all when "it seems" ends it.
        likenesses: of these, the ones that need nobody as their subject: "it looks like", not "Nadia looks like".
        seeming_predicate_words: words in a predicate that keep the seeming.
        modal_adverbs: words of doubt and supposition; they concern everything up to a contrast.
        preferences: phrases that prefer a deed; it is done only when the predicate says no more than that.
        preference_predicate_words: words in a predicate that keep the preference.
        doubt_exceptions: phrases whose word of doubt or intention says nothing about the claim.
        intentions: phrases that announce, wish or attempt; they concern what follows them.
        lower_case_intentions: the same, but only when not capitalised.
        announcements: phrases before a clause of the speaker's own that only announce it ("I want to say I use").
        journeys: of these, the ones that lead to a place or thing when a destination or the object follows them.
        gerund_intentions: words that consider, attempt or shun what the form in -ing after them names.
        no_gerunds: words in -ing that name a thing, not a deed.
        wish_verbs: verbs that wish somebody something: "want Nadia to".
        destinations: words that make "going to" a journey when they follow it.
        work_prepositions: words after which the "work" of "going to work" is a verb.
        attempt_predicate_words: words in a predicate that keep the attempt or intention.
        contrasts: words that end what a doubt or another person's words cover.
        clause_openers: words that, like a comma, let a new clause with its own subject begin.
        hearsay: words that mark a statement as another's, wherever they stand.
        hearsay_exceptions: phrases of that kind that name the speaker.
        saying_verbs: verbs of saying and thinking that take a clause, one tuple of forms per verb.
        object_verbs: verbs of saying, writing and asking that take an object as readily as a clause.
        hearing_verbs: verbs of hearing and reading: hearsay also in the first person.
        uninverted_verbs: verbs that never stand before the one who says it (", told my friend").
        noun_forms: forms of these verbs that are nouns after a determiner.
        past_beliefs: forms by which a speaker tells what he believed before.
        irregular_pasts: past forms and participles that do not end in -ed and differ from the base of their verb.
        base_forms_in_ed: base forms that end in -ed.
        had_objects: words after a contracted "had" that has an object ("I'd no idea").
        contracted_pasts: verbs that make their past with an apostrophe ("OK'd").
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
        contractions: contractions that are read without their apostrophe, too.
        doubtful_contractions: the same, but only where a clause begins: without it they are words of their own.
        contraction_exceptions: words of their own all the same, even where a clause begins.
        typed_spellings: words that people type otherwise in a chat, one tuple for each: the word, and how it is typed.
    """

    question_marks: Words
    inner_question_marks: Words
    question_endings: Words
    auxiliaries: Words
    inverted_conditionals: Words
    question_openers: Words
    question_words: Words
    discourse_openers: Words
    nominatives: Words
    conditionals: Words
    time_clauses: Words
    future_time_clauses: Words
    coming_times: Words
    perfects: Words
    clause_subjects: Words
    time_clause_exceptions: Words
    indirect_questions: Words
    comment_clauses: Words
    modal_verbs: Words
    lower_case_modal_verbs: Words
    disclaimers: Words
    denying_forms: Words
    near_misses: Words
    unchanged_pasts: Words
    seemings: Words
    likenesses: Words
    seeming_predicate_words: Words
    modal_adverbs: Words
    preferences: Words
    preference_predicate_words: Words
    doubt_exceptions: Words
    intentions: Words
    lower_case_intentions: Words
    announcements: Words
    journeys: Words
    gerund_intentions: Words
    no_gerunds: Words
    wish_verbs: Words
    destinations: Words
    work_prepositions: Words
    attempt_predicate_words: Words
    contrasts: Words
    clause_openers: Words
    hearsay: Words
    hearsay_exceptions: Words
    saying_verbs: tuple[Words, ...]
    object_verbs: tuple[Words, ...]
    hearing_verbs: tuple[Words, ...]
    uninverted_verbs: Words
    noun_forms: Words
    past_beliefs: Words
    irregular_pasts: Words
    base_forms_in_ed: Words
    had_objects: Words
    contracted_pasts: Words
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
    contractions: Words
    doubtful_contractions: Words
    contraction_exceptions: Words
    typed_spellings: tuple[Words, ...]


def _words(text: str) -> Words:
    return tuple(text.split())


def _phrases(text: str) -> Words:
    return tuple(phrase.strip() for phrase in text.split(","))


SPEECH_ACT_WORDS_V14 = SpeechActWords(
    question_marks=("?", "\u061f", "\u203d", "\u2e2e", "\u1367", "\u1945", "\ua60f", "\ua6f7"),
    inner_question_marks=("\u055e",),
    question_endings=_words("ですか ますか でしたか ましたか ませんか でしょうか 吗 嗎 습니까 입니까 나요"),
    auxiliaries=_words(
        "do does did don't doesn't didn't is isn't are aren't am was wasn't were weren't have haven't has hasn't had "
        "hadn't can can't could couldn't will won't would wouldn't shall shan't should shouldn't may might must mustn't"
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
    time_clauses=_phrases(
        "as soon as, once, until, till, by the time, the day, the moment, the minute, the instant, the week, "
        "the month, the year, the next time, next time"
    ),
    future_time_clauses=_phrases("when, whenever, after, before, while"),
    coming_times=_phrases(
        "tomorrow, from tomorrow, starting tomorrow, someday, some day, in the future, next monday, next tuesday, "
        "next wednesday, next thursday, next friday, next saturday, next sunday, next week, next month, next year, "
        "next quarter, next spring, next summer, next autumn, next winter, eventually"
    ),
    perfects=_words("have has haven't hasn't"),
    clause_subjects=_words("i we he she they"),
    time_clause_exceptions=_phrases(
        "at once, more than once, at the moment, for the moment, of the moment, in the moment, at the time, "
        "of the day, during the day, in the day, all the day, through the day, of the week, during the week, "
        "in the week, of the month, of the year, during the year, all the year, even once, just once, only once"
    ),
    indirect_questions=_phrases(
        "see if, check if, find out if, figure out if, know if, tell me if, ask if, test if, verify if, decide if"
    ),
    comment_clauses=_phrases(
        "if you ask me, if you must know, if i may say so, if i'm honest, if i am honest, if you were wondering, "
        "if you're wondering, if you are wondering, in case you were wondering, in case you're wondering, "
        "in case you are wondering"
    ),
    modal_verbs=_words(
        "might could would should wouldn't shouldn't mightn't wouldve couldve shouldve mightve woulda coulda shoulda "
        "mighta"
    ),
    lower_case_modal_verbs=("may",),
    disclaimers=_phrases(
        "not that i, it's not that, its not that, it is not that, it isn't that, it wasn't that, it was not that, "
        "it's not like, its not like, it is not like, it isn't like, it wasn't like, lied that, lied when, "
        "lied about, lying when, lying about, had better, 'd better, had best, 'd best, no way i, no way that i, "
        "no chance i, no chance that i, don't remember that, do not remember that, can't remember that, "
        "don't recall that, do not recall that, wrong that, a myth that, claim that, rumour that, rumor that, "
        "allegation that, accusation that, impression that, illusion that, assumption that"
    ),
    denying_forms=_words(
        "deny denies denied denying dispute disputes disputed joke joked joking pretend pretends pretended pretending"
    ),
    near_misses=_words("almost nearly"),
    unchanged_pasts=_words("beat bet burst cast come cut hit hurt let put quit read run set shut split spread"),
    seemings=_phrases(
        "seem, seems, seemed, appear to, appears to, appeared to, it appears, it appeared, feel like, feels like, "
        "felt like"
    ),
    likenesses=_phrases(
        "look like, looks like, looked like, looking like, sounds like, sounded like, looks as though, sounds as though"
    ),
    seeming_predicate_words=_words(
        "seem seems seemed appear appears appeared look looks looked sound sounds sounded feel feels felt"
    ),
    modal_adverbs=_phrases(
        "perhaps, maybe, possibly, probably, presumably, potentially, conceivably, likely, used to think, "
        "used to believe, used to assume, not sure, unsure, not certain, uncertain, doubt, doubts, doubtful, "
        "hypothetically, theoretically, in theory, imagine, suppose, let's say, pretend, wish, wishes, not true that, "
        "isn't true that, untrue that, false that, not the case that, isn't the case that, a lie that, as though, "
        "seemingly, ostensibly, for all i know, who knows whether, in my dream, in my dreams, in a dream, "
        "possible that, unlikely, improbable, hopefully, ideally, fingers crossed, with luck, with any luck, "
        "in a perfect world, in an ideal world, iirc, just kidding, only kidding, let's assume, let us assume, "
        "let us say"
    ),
    preferences=_phrases("would prefer, would rather, 'd prefer, 'd rather, would sooner, 'd sooner"),
    preference_predicate_words=_words(
        "prefer prefers preferred preference rather favour favours favor favors like likes"
    ),
    doubt_exceptions=_phrases(
        "could you, could u, could we, could someone, could somebody, could anyone, would you, would you mind, "
        "would say, should say, might add, may add, could not care less, could care less, no doubt, without doubt, "
        "without a doubt, let me tell you, let me know, 'd say, must say, must admit, must confess, must add, "
        "must know, have to say, have to admit, has to be said, have to confess, had to admit, got to say, gotta say, "
        "must be said, ready to say, willing to say, afraid to say, a must, to-do, to-dos, must-have, must-haves, "
        "must-see, swear to god, no prob, no probs"
    ),
    intentions=_phrases(
        "going to, gonna, want to, wants to, wanted to, wanting to, wanna, plan to, plans to, planned to, planning to, "
        "plan on, plans on, planning on, hope to, hopes to, hoped to, hoping to, hope, hopes, hoping, intend to, "
        "intends to, intended to, intending to, intend on, aim to, aims to, aiming to, about to, try to, tries to, "
        "tried to, trying to, attempt to, attempts to, attempted to, attempting to, would like to, 'd like to, "
        "would love to, 'd love to, would like, thinking of, thinking about, think of, think about, thinks of, "
        "thinks about, thought of, thought about, promise to, promises to, promised to, considering, looking to, "
        "looking forward to, need to, needs to, needed to, supposed to, ought to, dream of, dreaming of, dreams of, "
        "tempted to, keen to, eager to, hesitant to, let me, let's, let us, 'll, will not, won't, shall, shan't, "
        "decide to, decides to, decided to, deciding to, decision to, choose to, chooses to, chose to, chosen to, "
        "choosing to, resolve to, resolves to, resolved to, agree to, agrees to, agreed to, vow to, vows to, vowed to, "
        "commit to, commits to, committed to, swear to, swore to, sworn to, pledge to, pledged to, made up my mind to, "
        "make up my mind to, have to, has to, had to, having to, got to, gotta, hafta, refuse to, refuses to, "
        "refused to, refusing to, fail to, fails to, failed to, failing to, forget to, forgets to, forgot to, "
        "forgotten to, forgetting to, neglect to, neglected to, decline to, declined to, hesitate to, hesitated to, "
        "prepare to, prepared to, preparing to, prefer not to, arranged to, advised to, instructed to, ordered to, "
        "urged to, encouraged to, invited to, recommended to, asked to, scheduled to, required to, obliged to, "
        "determined to, ready to, willing to, unwilling to, reluctant to, afraid to, unable to, inclined to, "
        "motivated to, itching to, dying to, start to try, started to try, starting to try, begin to try, "
        "began to try, remind me to, forbidden to, plan was to, due to start, due to stop, 'd like, 'd love, yet to, "
        "mean to, means to, meant to, long to, longs to, longed to, expect to, expects to, expected to, wait to, "
        "pretend to, pretends to, pretended to, pretending to, bring myself to, plan is to, idea is to, goal is to, "
        "aim is to, propose to, proposes to, proposed to, requested to, begged to, offered to, volunteered to, "
        "threaten to, threatens to, threatened to, pressured to, find it hard to, finds it hard to, found it hard to, "
        "struggle to, struggles to, struggled to, struggling to, meaning to, half a mind to, never managed to, "
        "didn't manage to, occurs to me to, imma, i'ma, ima, finna, tryna, boutta, bouta, needa, oughta, lemme"
    ),
    lower_case_intentions=("will", "must"),
    announcements=tuple(
        f"{lead} {verb}"
        for lead in ("want to", "wanted to", "like to", "need to", "needed to", "forgot to", "let me")
        for verb in ("say", "add", "mention", "note", "confess", "tell you", "let you know")
    ),
    journeys=_phrases(
        "going to, got to, agree to, agrees to, agreed to, commit to, commits to, committed to, invited to, "
        "propose to, proposes to, proposed to, offered to, pledged to, swore to"
    ),
    gerund_intentions=_phrases(
        "try, tries, tried, try out, tried out, attempt, attempts, attempted, consider, considers, considered, avoid, "
        "avoids, avoided, avoiding, resist, resists, resisted, contemplate, contemplated, contemplating, postpone, "
        "postponed, postponing, delay, delayed, delaying, put off, suggest, suggested, recommend, recommended, "
        "feel like, feels like, felt like, dread, dreaded, plan on, fancy, risk, risked, decided on, decided against, "
        "against, close to, open to, on the verge of, on the brink of, on the point of, talked about, talk about, "
        "talking about, dreamed about, plan is, goal is, aim is, idea is, intention of, debating, idea of, "
        "in favour of, in favor of, keen on, afraid of, scared of, worry about, worried about, asked about, going for, "
        "wondering about, intend, intends, intended, propose, proposes, proposed, fear, fears, feared, consideration of"
    ),
    no_gerunds=_words(
        "something anything nothing everything thing king ring spring string wing morning evening during building "
        "wedding"
    ),
    wish_verbs=_phrases(
        "want, wants, wanted, need, needs, needed, expect, expects, would like, 'd like, would love, 'd love, promise, "
        "promises, promised, would prefer, 'd prefer"
    ),
    destinations=_words("a an the my your his her our their this that some school work bed church college university"),
    work_prepositions=_words("at for in with from as on under through over remotely less more"),
    attempt_predicate_words=_words(
        "going gonna want wants wanted wanting wanna plan plans planned planning hope hopes hoped hoping intend "
        "intends intended intending intention aim aims aiming goal try tries tried trying attempt attempts attempted "
        "attempting would will think thinks thinking consider considers considered considering look looking need needs "
        "needed should supposed ought dream dreams dreaming wish wishes tempted keen eager decide decides decided "
        "deciding decision choose chooses chose chosen choosing resolve resolves resolved agree agrees agreed vow vows "
        "vowed commit commits committed swear swears swore pledge pledged must has_to have_to had_to got_to obliged "
        "required refuse refuses refused refusing fail fails failed forget forgets forgot forgotten neglect neglected "
        "decline declined hesitate hesitates avoid avoids avoided avoiding postpone postponed delay delayed prepare "
        "prepares prepared ready willing unable reluctant afraid advised asked scheduled invited"
    ),
    contrasts=_words("but however whereas although though"),
    clause_openers=_words("and but so because since although though"),
    hearsay=_phrases(
        "according to, apparently, supposedly, reportedly, allegedly, purportedly, rumor has it, rumour has it, "
        "word has it, word is, legend has it, by all accounts"
    ),
    hearsay_exceptions=_phrases("according to me, according to myself, according to plan"),
    saying_verbs=SAYING_VERBS,
    object_verbs=OBJECT_VERBS,
    hearing_verbs=HEARING_VERBS,
    uninverted_verbs=_words("tell think"),
    noun_forms=_words(
        "say tell claim claims report reports state states note notes post posts text texts tweet tweets mention "
        "mentions promise promises thought guess guesses suspect suspects read reads reading hearing saying thinking "
        "telling writing answer answers reply replies figure figures rumor rumour feel asking reporting wonder wonders "
        "dream dreams joke jokes"
    ),
    past_beliefs=_words("thought believed assumed supposed guessed reckoned figured suspected dreamed dreamt"),
    irregular_pasts=IRREGULAR_PASTS,
    base_forms_in_ed=BASE_FORMS_IN_ED,
    had_objects=_words("a an the no my some since"),
    contracted_pasts=_words("ok okay cc bcc dm id ko od pm rsvp x"),
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
            "goes without saying, having said that, that being said, when all is said and done, "
            "as advised, as recommended, as mentioned, as noted, as stated, as announced, as promised, as explained"
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
    contractions=CONTRACTIONS,
    doubtful_contractions=DOUBTFUL_CONTRACTIONS,
    contraction_exceptions=CONTRACTION_EXCEPTIONS,
    typed_spellings=TYPED_SPELLINGS,
)
"""The word lists of `speech_act_v14`; `speech_act_v13` reads with the same eyes."""
