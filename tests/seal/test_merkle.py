from __future__ import annotations

import hashlib
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homolog.seal.merkle import (
    EMPTY_ROOT,
    Tree,
    completed,
    consistency_path,
    includes,
    inclusion_path,
    is_consistent,
    leaf_hash,
    root,
)

# The leaves and roots that implementations of RFC 6962 are held to.
LEAVES = ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
MOST = 64


def by_the_letter(leaves: Sequence[bytes]) -> bytes:
    """RFC 6962, 2.1, as it is written: MTH(D[n])."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    k = max(2**power for power in range(60) if 2**power < len(leaves))
    return hashlib.sha256(b"\x01" + by_the_letter(leaves[:k]) + by_the_letter(leaves[k:])).digest()


def path_by_the_letter(m: int, leaves: Sequence[bytes]) -> list[bytes]:
    """RFC 6962, 2.1.1: PATH(m, D[n])."""
    if len(leaves) == 1:
        return []
    k = max(2**power for power in range(60) if 2**power < len(leaves))
    if m < k:
        return [*path_by_the_letter(m, leaves[:k]), by_the_letter(leaves[k:])]
    return [*path_by_the_letter(m - k, leaves[k:]), by_the_letter(leaves[:k])]


def subproof(m: int, leaves: Sequence[bytes], is_known: bool) -> list[bytes]:
    """RFC 6962, 2.1.2: SUBPROOF(m, D[n], b)."""
    if m == len(leaves):
        return [] if is_known else [by_the_letter(leaves)]
    k = max(2**power for power in range(60) if 2**power < len(leaves))
    if m <= k:
        return [*subproof(m, leaves[:k], is_known), by_the_letter(leaves[k:])]
    return [*subproof(m - k, leaves[k:], is_known=False), by_the_letter(leaves[:k])]


def tree_of(leaves: Sequence[bytes]) -> Tree:
    tree = Tree()
    for leaf in leaves:
        tree.add(leaf)
    return tree


SAMPLE = [f"leaf {number}".encode() for number in range(MOST)]
TREE = tree_of(SAMPLE)
OF_SIZE = [root(size, TREE) for size in range(MOST + 1)]


def test_the_roots_are_those_that_others_get() -> None:
    leaves = [bytes.fromhex(leaf) for leaf in LEAVES]
    tree = tree_of(leaves)
    for size, expected in enumerate(ROOTS, 1):
        assert root(size, tree).hex() == expected == by_the_letter(leaves[:size]).hex()


def test_the_empty_tree_has_the_hash_of_nothing() -> None:
    assert root(0, Tree()) == EMPTY_ROOT == hashlib.sha256(b"").digest()


def test_every_path_is_the_one_of_the_standard() -> None:
    for size in range(1, 34):
        for index in range(size):
            assert list(inclusion_path(index, size, TREE)) == path_by_the_letter(index, SAMPLE[:size])
        for old in range(1, size + 1):
            assert list(consistency_path(old, size, TREE)) == subproof(old, SAMPLE[:size], is_known=True)


def test_every_leaf_of_every_tree_is_proven_and_stands_nowhere_else() -> None:
    for size in range(1, MOST + 1):
        for index in range(size):
            path = inclusion_path(index, size, TREE)
            hashed = leaf_hash(SAMPLE[index])
            assert includes(hashed, index, size, path, OF_SIZE[size])
            assert not any(includes(hashed, other, size, path, OF_SIZE[size]) for other in range(size) if other != index)


def test_every_tree_is_consistent_with_every_later_one_and_with_no_other() -> None:
    for new in range(1, MOST + 1):
        for old in range(1, new + 1):
            path = consistency_path(old, new, TREE)
            assert is_consistent(old, new, OF_SIZE[old], OF_SIZE[new], path)
            assert not is_consistent(old, new, bytes(32), OF_SIZE[new], path)
            assert not is_consistent(old, new, OF_SIZE[old], bytes(32), path)


@settings(max_examples=200)
@given(st.lists(st.binary(max_size=8), min_size=1, max_size=40), st.data())
def test_any_changed_byte_of_a_proof_fails(leaves: list[bytes], data: st.DataObject) -> None:
    tree, size = tree_of(leaves), len(leaves)
    index = data.draw(st.integers(0, size - 1))
    path, expected, leaf = list(inclusion_path(index, size, tree)), root(size, tree), leaf_hash(leaves[index])
    assert includes(leaf, index, size, path, expected)
    parts = [leaf, *path, expected]
    at, byte = data.draw(st.integers(0, len(parts) - 1)), data.draw(st.integers(0, 31))
    spoiled = bytearray(parts[at])
    spoiled[byte] ^= data.draw(st.integers(1, 255))
    parts[at] = bytes(spoiled)
    assert not includes(parts[0], index, size, parts[1:-1], parts[-1])


@settings(max_examples=200)
@given(st.integers(1, MOST), st.integers(1, MOST), st.data())
def test_any_changed_byte_of_a_consistency_proof_fails(one: int, other: int, data: st.DataObject) -> None:
    old, new = sorted((one, other))
    parts = [OF_SIZE[old], *consistency_path(old, new, TREE), OF_SIZE[new]]
    at, byte = data.draw(st.integers(0, len(parts) - 1)), data.draw(st.integers(0, 31))
    spoiled = bytearray(parts[at])
    spoiled[byte] ^= data.draw(st.integers(1, 255))
    parts[at] = bytes(spoiled)
    assert not is_consistent(old, new, parts[0], parts[-1], parts[1:-1])


def test_a_proof_that_is_longer_or_shorter_fails() -> None:
    path = inclusion_path(5, 13, TREE)
    leaf = leaf_hash(SAMPLE[5])
    for wrong in (path[:-1], path[1:], (*path, bytes(32)), ()):
        assert not includes(leaf, 5, 13, wrong, OF_SIZE[13])
    steps = consistency_path(5, 13, TREE)
    for wrong in (steps[:-1], steps[1:], (*steps, bytes(32)), ()):
        assert not is_consistent(5, 13, OF_SIZE[5], OF_SIZE[13], wrong)


def test_nothing_is_proven_outside_of_the_tree() -> None:
    leaf = leaf_hash(SAMPLE[0])
    assert not includes(leaf, 1, 1, (), leaf)
    assert not includes(leaf, -1, 1, (), leaf)
    assert not is_consistent(0, 4, EMPTY_ROOT, OF_SIZE[4], ())
    assert not is_consistent(5, 4, OF_SIZE[5], OF_SIZE[4], ())
    with pytest.raises(ValueError, match="no leaf 4 among 4"):
        inclusion_path(4, 4, TREE)
    with pytest.raises(ValueError, match="no proof for one of 0"):
        consistency_path(0, 4, TREE)


def test_a_leaf_cannot_pass_for_two_subtrees() -> None:
    inner = leaf_hash(SAMPLE[0]) + leaf_hash(SAMPLE[1])
    assert root(1, tree_of([inner])) != OF_SIZE[2]


def test_a_store_that_keeps_complete_subtrees_gets_the_same_roots_and_writes_each_once() -> None:
    class Rows:
        def __init__(self) -> None:
            self.rows: dict[tuple[int, int], bytes] = {}
            self.asked = 0

        def node(self, level: int, index: int) -> bytes:
            self.asked += 1
            return self.rows[level, index]

    store = Rows()
    for size, leaf in enumerate(SAMPLE):
        for node in completed(size, leaf_hash(leaf), store):
            assert (node.level, node.index) not in store.rows
            store.rows[node.level, node.index] = node.hash
        assert root(size + 1, store) == OF_SIZE[size + 1]
    assert len(store.rows) == 2 * MOST - 1
    store.asked = 0
    assert inclusion_path(17, 63, store) == inclusion_path(17, 63, TREE)
    assert store.asked <= 36
