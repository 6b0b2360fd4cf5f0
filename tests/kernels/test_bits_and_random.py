"""Bit tricks and random numbers: native against plain Python, and against known values."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plyground import kernels

words = st.integers(0, 2**64 - 1)
native, plain = (f("plyground.kernels.bits") for f in (kernels.compiled, kernels.plain))
fast, slow = (f("plyground.kernels.random") for f in (kernels.compiled, kernels.plain))


@given(words)
def test_counts(word):
    value = np.uint64(word)
    assert int(native.popcount(value)) == word.bit_count() == int(plain.popcount(value))
    zeros = (word & -word).bit_length() - 1 if word else 64
    assert int(native.trailing_zeros(value)) == zeros == int(plain.trailing_zeros(value))
    high = 64 - word.bit_length()
    assert int(native.leading_zeros(value)) == high == int(plain.leading_zeros(value))


@given(words, words)
def test_extract_and_deposit(word, mask):
    value, under = np.uint64(word), np.uint64(mask)
    extracted = np.uint64(native.extract_bits(value, under))
    assert int(extracted) == int(plain.extract_bits(value, under))
    assert int(native.deposit_bits(extracted, under)) == word & mask
    assert int(native.deposit_bits(value, under)) == int(plain.deposit_bits(value, under))


@given(words, words)
def test_multiply_high(a, b):
    high = a * b >> 64
    assert int(native.multiply_high(np.uint64(a), np.uint64(b))) == high
    assert int(plain.multiply_high(np.uint64(a), np.uint64(b))) == high


def test_the_generator_is_xoshiro256_starstar():
    """First outputs for the state 1, 2, 3, 4, as its authors' program gives them."""
    state = np.array([1, 2, 3, 4], np.uint64)
    assert [int(fast.next_random(state)) for _ in range(4)] == [
        11520,
        0,
        1509978240,
        1215971899390074240,
    ]


def test_plain_and_compiled_streams_agree():
    states = np.zeros((2, 4), np.uint64)
    fast.seed_random(states[0], np.uint64(42))
    slow.seed_random(states[1], np.uint64(42))
    for _ in range(100):
        limit = np.uint64(17)
        assert int(fast.random_below(states[0], limit)) == int(slow.random_below(states[1], limit))


def test_small_ranges_are_uniform():
    state = np.zeros(4, np.uint64)
    fast.seed_random(state, np.uint64(1))
    counts = np.zeros(6)
    for _ in range(12_000):
        counts[int(fast.random_below(state, np.uint64(6)))] += 1
    chi_square = float(((counts - 2000) ** 2 / 2000).sum())
    assert chi_square < 25  # p < 0.0002 for five degrees of freedom
