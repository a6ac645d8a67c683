"""The process of the CAD kernel: its answer, its refusal, its end and its hanging."""

from __future__ import annotations

import os
import signal
import time

import pytest

from homolog.errors import InputRefused
from homolog.scan.readers.kernel import in_process_of_its_own


def code_of(work: object, seconds: float = 10.0) -> str:
    with pytest.raises(InputRefused) as caught:
        in_process_of_its_own(work, "x.step", seconds=seconds)  # type: ignore[arg-type]
    return caught.value.problems[0].code


def test_the_answer_comes_back_whole() -> None:
    assert in_process_of_its_own(lambda: bytes(3_000_000) + b"end", "x.step") == bytes(3_000_000) + b"end"


def test_a_refusal_comes_back_with_its_code() -> None:
    def work() -> bytes:
        raise InputRefused.because("no", where="x", todo="do", code="mesh_empty")

    assert code_of(work) == "mesh_empty"


def test_a_crash_is_a_refusal() -> None:
    def work() -> bytes:
        os.kill(os.getpid(), signal.SIGSEGV)
        return b""

    assert code_of(work) == "step_kernel"


def test_an_unforeseen_error_is_a_refusal() -> None:
    def work() -> bytes:
        raise MemoryError

    assert code_of(work) == "step_kernel"


def test_a_hanging_kernel_is_ended() -> None:
    def work() -> bytes:
        time.sleep(60)
        return b""

    start = time.monotonic()
    assert code_of(work, seconds=0.5) == "step_kernel"
    assert time.monotonic() - start < 5
