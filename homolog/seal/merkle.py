"""A Merkle tree over a sequence that only grows, as pure functions (RFC 6962, section 2; checks as in RFC 9162, 2.1).

A tree of n leaves is never held as a whole: whoever keeps the leaves hands out the hashes of complete subtrees (`Nodes`)
and every function asks for as many of them as the tree is high, or its square at most. A complete subtree never changes,
so a store may keep each as a row that is written once; `completed` says which ones a new leaf brings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

EMPTY_ROOT = hashlib.sha256().digest()
MOST_LEAVES = 2**53


class Nodes(Protocol):
    """The hashes of complete subtrees."""

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of the subtree over the leaves [index * 2**level, (index + 1) * 2**level)."""
        ...  # pragma: no cover


@dataclass(frozen=True, slots=True)
class Node:
    """One complete subtree's hash; level 0 is a leaf."""

    level: int
    index: int
    hash: bytes


def leaf_hash(leaf: bytes) -> bytes:
    """Return the hash of a leaf."""
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of two subtrees; the prefix keeps it apart from every leaf's."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def completed(size: int, leaf: bytes, nodes: Nodes) -> tuple[Node, ...]:
    """Return the complete subtrees that leaf number `size` brings, its own hash first.

    Args:
        size: How many leaves there were before.
        leaf: The new leaf's hash.
        nodes: The subtrees of the leaves before.
    """
    found = [Node(0, size, leaf)]
    while found[-1].index % 2:
        last = found[-1]
        left = nodes.node(last.level, last.index - 1)
        found.append(Node(last.level + 1, last.index // 2, node_hash(left, last.hash)))
    return tuple(found)


def root(size: int, nodes: Nodes) -> bytes:
    """Return the root over the first `size` leaves."""
    return EMPTY_ROOT if size == 0 else _hash(0, size, nodes)


def inclusion_path(index: int, size: int, nodes: Nodes) -> tuple[bytes, ...]:
    """Return the proof that a leaf stands at `index` among the first `size`.

    Raises:
        ValueError: There is no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} among {size}")
    start, end = 0, size
    path = []
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(_hash(middle, end, nodes))
            end = middle
        else:
            path.append(_hash(start, middle, nodes))
            start = middle
    return tuple(reversed(path))


def consistency_path(old: int, new: int, nodes: Nodes) -> tuple[bytes, ...]:
    """Return the proof that the first `old` of `new` leaves are those of the older tree.

    Raises:
        ValueError: The older tree is empty, or larger.
    """
    if not 0 < old <= new:
        raise ValueError(f"a tree of {new} leaves has no proof for one of {old}")
    start, end = 0, new
    path = []
    while end != old:
        middle = start + _split(end - start)
        if old <= middle:
            path.append(_hash(middle, end, nodes))
            end = middle
        else:
            path.append(_hash(start, middle, nodes))
            start = middle
    if start:  # a subtree of the older tree; its whole is known to whoever checks
        path.append(_hash(start, end, nodes))
    return tuple(reversed(path))


def includes(leaf: bytes, index: int, size: int, path: Sequence[bytes], expected: bytes) -> bool:
    """Whether a proof leads from a leaf's hash at a place to a root."""
    if not 0 <= index < size <= MOST_LEAVES:
        return False
    at, last, found = index, size - 1, leaf
    for sibling in path:
        if last == 0 or len(sibling) != 32:
            return False
        if at % 2 or at == last:
            found = node_hash(sibling, found)
            while at % 2 == 0 and at:
                at, last = at // 2, last // 2
        else:
            found = node_hash(found, sibling)
        at, last = at // 2, last // 2
    return last == 0 and found == expected


def is_consistent(old: int, new: int, old_root: bytes, new_root: bytes, path: Sequence[bytes]) -> bool:
    """Whether a proof shows that a tree has only grown from one root to another; nothing grows from the empty tree's root."""
    if not 0 < old <= new <= MOST_LEAVES or any(len(part) != 32 for part in path):
        return False
    if old == new:
        return not path and old_root == new_root
    parts = list(path)
    if old & (old - 1) == 0:
        parts.insert(0, old_root)
    if not parts:
        return False
    at, last = old - 1, new - 1
    while at % 2:
        at, last = at // 2, last // 2
    older = newer = parts[0]
    for part in parts[1:]:
        if last == 0:
            return False
        if at % 2 or at == last:
            older, newer = node_hash(part, older), node_hash(part, newer)
            while at % 2 == 0 and at:
                at, last = at // 2, last // 2
        else:
            newer = node_hash(newer, part)
        at, last = at // 2, last // 2
    return last == 0 and older == old_root and newer == new_root


class Tree:
    """The subtrees of leaves in memory, for a log in a file."""

    def __init__(self) -> None:
        """Begin without leaves."""
        self._levels: list[list[bytes]] = [[]]

    @property
    def size(self) -> int:
        """How many leaves there are."""
        return len(self._levels[0])

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of a complete subtree."""
        return self._levels[level][index]

    def add(self, leaf: bytes) -> None:
        """Take in the next leaf, unhashed."""
        for node in completed(self.size, leaf_hash(leaf), self):
            if node.level == len(self._levels):
                self._levels.append([])
            self._levels[node.level].append(node.hash)


def _split(size: int) -> int:
    """Return the largest power of two below a size."""
    return 1 << (size - 1).bit_length() - 1


def _hash(start: int, end: int, nodes: Nodes) -> bytes:
    """Return the hash over leaves [start, end), where start is a multiple of a power of two not below the length."""
    parts = list(_complete(start, end))
    level, index = parts.pop()
    found = nodes.node(level, index)
    while parts:
        level, index = parts.pop()
        found = node_hash(nodes.node(level, index), found)
    return found


def _complete(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the complete subtrees that make up a range, the largest first."""
    while start < end:
        level = (end - start).bit_length() - 1
        yield level, start >> level
        start += 1 << level
