"""Owns the look at the log of seals as it is stored: whether its entries give the hashes and the signed heads kept beside them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from homolog.errors import HomologError
from homolog.register import log
from homolog.register.session import Session
from homolog.seal.log import read_head
from homolog.seal.merkle import Tree, root
from homolog.service.desk import Desk
from homolog.service.proofs import jws_of

_PAGE = 1_000


def check(desk: Desk) -> Iterator[str]:
    """Yield what is wrong with the log, a sentence each; silence is a promise.

    The tree is grown anew from the entries. Whether a head was signed by a key of ours is not asked: `homolog verify` does that.
    """
    tree = Tree()
    with desk.database.read() as session:
        for leaf in _leaves(session):
            if leaf.number != tree.size:
                yield f"the log of seals: entry {tree.size} is missing."
                return
            tree.add(leaf.entry.encode())
            yield from _head(session, tree)
        yield from _nodes(session, tree)
        yield from _sealed(session)


def _leaves(session: Session) -> Iterator[log.Leaf]:
    after = -1
    while page := log.entries(session, after=after, limit=_PAGE):
        yield from page
        after = page[-1].number


def _head(session: Session, tree: Tree) -> Iterator[str]:
    """Look at the head over the entries so far, of which each entry has one."""
    kept = log.head_at(session, tree.size)
    if kept is None:
        yield f"the log of seals: no head was signed over the first {tree.size} entries."
        return
    try:
        said = read_head(jws_of(kept), "head")
    except HomologError as error:
        yield f"the log of seals: the head over the first {tree.size} entries cannot be read: {error}"
        return
    if (said.size, said.root) != (tree.size, root(tree.size, tree).hex()):
        yield f"the log of seals: the head over the first {tree.size} entries is of others."


def _nodes(session: Session, tree: Tree) -> Iterator[str]:
    count = 0
    for level, place, digest in log.nodes(session):
        count += 1
        if place >= tree.size >> level or tree.node(level, place).hex() != digest:
            yield f"the log of seals: hash {place} of level {level} is not that of its entries."
    wanted = sum(tree.size >> level for level in range(tree.size.bit_length()))
    if count < wanted:
        yield f"the log of seals: {wanted - count} hashes are missing."


def _sealed(session: Session) -> Iterator[str]:
    for digest in islice(log.unentered(session), 10):
        yield f"the log of seals: the record {digest} is signed and not entered."
