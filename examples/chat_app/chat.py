"""A small chat application: it remembers what it is told, answers from that, and asks when it is not sure.

`python chat.py DIRECTORY` talks in the terminal; `reply` is the whole application.
"""

from __future__ import annotations

import getpass
import sys

from prme import MemoryClient, Node


def reply(memory: MemoryClient, user: str, text: str) -> str:
    """Return what to say to a message of a user, after taking it into memory; a question is only answered."""
    if text.rstrip().endswith("?"):
        return _answer(memory, user, text)
    receipt = memory.ingest(text, user_id=user, first_person_owner=True)
    if receipt.status == "failed":
        return "I kept that, and could not make sense of it yet."
    said = [f"No longer: {_words(node)}." for node in _nodes(memory, user, receipt.retired)]
    said += [f"Noted: {_words(node)}." for node in _nodes(memory, user, receipt.claims)]
    for decision in receipt.decisions:
        if decision.reason == "ambiguous":
            choices = " or ".join(node.object or "" for node in _nodes(memory, user, list(decision.candidates)))
            said.append(f"Which one do you mean: {choices}?")
    return " ".join(said) or "I see."


def _answer(memory: MemoryClient, user: str, question: str) -> str:
    found = memory.retrieve(question, user_id=user, exclude_node_types=["NOTE"])
    return "; ".join(_words(hit.node) for hit in found) or "You have not told me."


def _nodes(memory: MemoryClient, user: str, node_ids: list[str]) -> list[Node]:
    found = (memory.get_node(node_id, user_id=user, include_superseded=True) for node_id in node_ids)
    return [node for node in found if node is not None]


def _words(node: Node) -> str:
    predicate = (node.predicate or "").replace("_", " ")
    denied = "not any more: " if node.polarity == "negative" else ""
    return f"{denied}{predicate} {node.object}"


def main() -> None:
    """Talk in the terminal until the input ends."""
    directory = sys.argv[1] if len(sys.argv) > 1 else "./chat-memory"
    with MemoryClient(directory) as memory:
        while True:
            try:
                text = input("> ").strip()
            except (EOFError, KeyboardInterrupt):
                return
            if text:
                print(reply(memory, getpass.getuser(), text))


if __name__ == "__main__":
    main()
