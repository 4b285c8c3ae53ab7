"""A small model of the order-independent fold, kept apart from the code it checks: an oracle, not a second copy."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

CLASSES = [
    {"works_at", "employed_by", "employed_at", "joined"},
    {"lives_in", "resides_in", "located_in"},
    {"role", "position", "title"},
]
TRANS_OLD = {"uses", "use"}


def norm(s):
    return " ".join(unicodedata.normalize("NFKC", s).casefold().split())


def snake(s):
    return re.sub(r"[\s\-_]+", "_", s.strip().casefold())


def family(pred):
    """predicates between which a rule can act at all"""
    for i, c in enumerate(CLASSES):
        if pred in c:
            return f"class{i}"
    return "uses*" if pred in TRANS_OLD | {"switched_to"} else pred


def obj_match(target, obj):
    t, o = norm(target), norm(obj)
    if t == o:
        return "exact"
    tw, ow = t.split(), o.split()
    if not (1 <= len(tw) <= 3 and len(ow) <= 4 and len(tw) < len(ow)):
        return None
    if not all(w.isalpha() for w in tw + ow) or any(len(w) < 3 for w in tw):
        return None
    return "short" if any(ow[i : i + len(tw)] == tw for i in range(len(ow) - len(tw) + 1)) else None


@dataclass(frozen=True)
class Claim:
    id: str
    eff: object
    recv: object
    event: str
    pos: int
    pred: str
    obj: str
    pol: str = "positive"
    intent: str | None = None
    repl: str | None = None
    epi: str = "asserted"
    cond: str | None = None  # any condition, supported or not
    group: tuple = ("g",)  # owner, scope, subject, source type, kind
    resolved: bool = True
    policy: str = "v14"

    @property
    def key(self):
        return (self.eff, self.recv, self.event, self.pos)

    @property
    def ident(self):
        return (self.group, self.pred, norm(self.obj), self.pol, self.epi, self.cond)


@dataclass(frozen=True)
class Decision:
    kind: str  # supersede | contradict | resolve
    old: str
    new: str
    T: object = None
    mark: object = None
    hold: object = None


def is_correction(c):
    return c.intent == "update" and c.cond is None and c.epi in ("observed", "asserted") and c.resolved


def target_of(c):
    if c.pol == "unknown":
        return None
    if c.repl:
        return c.repl
    return c.obj if c.pol == "negative" else None


def static_match(c, o):
    """every test of 8.1 except the interval"""
    t = target_of(c)
    if t is None or o.group != c.group or not o.resolved:
        return None
    if o.epi not in ("observed", "asserted") or o.cond is not None or o.pol != "positive":
        return None
    same = o.pred == c.pred or any(o.pred in k and c.pred in k for k in CLASSES)
    trans = c.pred == "switched_to" and c.pol == "positive" and o.pred in TRANS_OLD and c.group[-1] == "fact"
    if not (same or trans):
        return None
    if c.pol == "positive" and norm(o.obj) == norm(c.obj):
        return None
    return obj_match(t, o.obj)


def fold_proposed(claims, decisions=(), by_family=False):
    """decisions: in journal order, each with T, mark (and hold for resolve)."""
    if by_family:
        parts = {}
        for c in claims:
            parts.setdefault((c.group, family(c.pred)), []).append(c)
        st, why = {}, {}
        for part in parts.values():
            a, b = fold_proposed(part, decisions)
            st.update(a), why.update(b)
        return st, why
    by = {c.id: c for c in claims}
    idents = {}
    contested, ended = set(), {}
    for d in decisions:
        if d.kind == "contradict":
            contested |= {d.old, d.new}
        else:
            contested -= {d.old, d.new}
    named_new = {d.new for d in decisions} | {d.old for d in decisions if d.kind == "contradict"}
    # which decision closes a claim: the first in journal order that covers it
    cover = {}
    for d in decisions:
        if d.kind == "contradict" or d.old not in by:
            continue
        o = by[d.old]
        for c in claims:
            if c.id in cover or c.id == d.new:
                continue
            if c.id == d.old or (c.resolved and c.ident == o.ident and (c.recv <= d.mark or c.eff < d.T)):
                cover[c.id] = d

    def held(i, c):
        return any(
            d.new == i and d.kind != "contradict" and (c.recv <= d.mark or c.eff <= max(d.T, d.hold or d.T))
            for d in decisions
        )

    rule = {}  # rule closing: id -> (vt, succ), as if no decision covered the claim
    st, why = {}, {}

    def open_for(i, x):
        """is claim i open at x.eff, seen from x"""
        if st[i]["confirms"] is not None and i not in named_new:
            return False
        d = cover.get(i)
        if d is not None and (x.recv > d.mark):
            return x.eff < max(d.T, by[i].eff)
        vt = rule.get(i, (None, None))[0]
        return vt is None or x.eff < vt

    for c in sorted(claims, key=lambda c: c.key):
        if is_correction(c) and target_of(c):
            hits = [i for i in st if open_for(i, c) and static_match(c, by[i])]
            if len({norm(by[i].obj) for i in hits}) > 1:
                why[c.id] = "ambiguous"
            else:
                moved = []
                for i in hits:
                    if i in contested or held(i, c):
                        continue
                    d = cover.get(i)
                    if d is not None and c.recv > d.mark:
                        continue
                    rule[i] = (c.eff, c.id)
                    if d is None:
                        moved.append(i)
                why[c.id] = "retired" if moved else ("decided" if hits else "no_match")
        else:
            why[c.id] = "no_target"
        eq = []
        if c.resolved and c.id not in named_new:
            eq = [i for i in st if open_for(i, c) and by[i].ident == c.ident]
        st[c.id] = dict(vf=c.eff, vt=None, succ=None, confirms=min(eq, key=lambda i: by[i].key) if eq else None)
    for i, s in st.items():
        d = cover.get(i)
        if d is not None and (s["confirms"] is None or i == d.old):
            s["vt"] = max(d.T, by[i].eff)
            s["succ"] = d.new if d.kind == "supersede" else None
        elif s["confirms"] is None and i in rule:
            s["vt"], s["succ"] = rule[i]
    return st, why
