"""Sealed boxes and XChaCha20-Poly1305 in pure Python, byte for byte as libsodium makes them.

Standard library only, Python 3.9 or newer; everything is bytes. A box is crypto_box_seal for the
X25519 twin of an Ed25519 key, the rest is crypto_aead_xchacha20poly1305_ietf. It is made to be read
and to run anywhere: it takes a millisecond where a compiled library takes a microsecond, and its
running time depends on its secrets: do not use it where somebody may measure you closely.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import struct
from collections.abc import Iterator
from typing import Optional

from ed25519 import GROUP_ORDER, P, _decode, _expand, _is_neutral, _multiply

__all__ = ["decrypt", "encrypt", "open_box", "seal_box"]

WORDS_16 = struct.Struct("<16I")
SIGMA = struct.unpack("<4I", b"expand 32-byte k")
POLY1305_PRIME = 2**130 - 5
# Columns, then rows (Salsa20) or diagonals (ChaCha20) of the 4 by 4 words.
SALSA_QUARTERS = (
    (0, 4, 8, 12), (5, 9, 13, 1), (10, 14, 2, 6), (15, 3, 7, 11),
    (0, 1, 2, 3), (5, 6, 7, 4), (10, 11, 8, 9), (15, 12, 13, 14),
)
CHACHA_QUARTERS = (
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
)


def seal_box(
    message: bytes, public_key: bytes, ephemeral_secret: Optional[bytes] = None
) -> bytes:
    """A box that only the seed of an Ed25519 public key opens; ValueError where it is no key.

    The ephemeral secret is drawn; one that is used twice gives both messages away.
    """
    recipient = _x25519_twin(public_key)
    secret = ephemeral_secret or os.urandom(32)
    ephemeral = _x25519(secret, (9).to_bytes(32, "little"))
    key = _box_key(_x25519(secret, recipient))
    return ephemeral + _salsa_box(key, _box_nonce(ephemeral, recipient), message)


def open_box(sealed: bytes, seed: bytes) -> Optional[bytes]:
    """What was sealed for the key of an Ed25519 seed, or None."""
    if len(sealed) < 48:
        return None
    secret = _expand(seed)[0].to_bytes(32, "little")
    recipient = _x25519(secret, (9).to_bytes(32, "little"))
    ephemeral, tag, hidden = sealed[:32], sealed[32:48], sealed[48:]
    shared = _x25519(secret, ephemeral)
    if not any(shared):
        return None
    key, nonce = _box_key(shared), _box_nonce(ephemeral, recipient)
    message = _salsa_box(key, nonce, hidden)[16:]
    is_whole = hmac.compare_digest(_salsa_box(key, nonce, message)[:16], tag)
    return message if is_whole else None


def encrypt(key: bytes, nonce: bytes, message: bytes, associated: bytes) -> bytes:
    """XChaCha20-Poly1305: the ciphertext and its tag; 32 bytes of key, 24 of nonce."""
    subkey, stream = _chacha_stream(key, nonce)
    hidden = _xor(message, stream)
    return hidden + _aead_tag(subkey, hidden, associated)


def decrypt(key: bytes, nonce: bytes, hidden: bytes, associated: bytes) -> Optional[bytes]:
    """What `encrypt` has hidden, or None where key, nonce, text or associated data are others."""
    if len(hidden) < 16:
        return None
    text, tag = hidden[:-16], hidden[-16:]
    subkey, stream = _chacha_stream(key, nonce)
    if not hmac.compare_digest(_aead_tag(subkey, text, associated), tag):
        return None
    return _xor(text, stream)


def _x25519_twin(public_key: bytes) -> bytes:
    """The X25519 key of an Ed25519 key: u = (1 + y) / (1 - y), RFC 7748 section 4.1."""
    point = _decode(public_key)
    if point is None or _is_neutral(_multiply(8, point)):
        raise ValueError("no public key that may sign")
    if not _is_neutral(_multiply(GROUP_ORDER, point)):
        raise ValueError("no public key of the main group")
    return ((1 + point.Y) * pow(1 - point.Y, -1, P) % P).to_bytes(32, "little")


def _x25519(secret: bytes, public_key: bytes) -> bytes:
    """RFC 7748 section 5."""
    scalar = int.from_bytes(secret, "little") & ((1 << 254) - 8) | 1 << 254
    u = int.from_bytes(public_key, "little") & ((1 << 255) - 1)
    x2, z2, x3, z3, swapped = 1, 0, u, 1, 0
    for position in reversed(range(255)):
        bit = scalar >> position & 1
        if bit != swapped:
            x2, z2, x3, z3 = x3, z3, x2, z2
        swapped = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % P, b * b % P, d * a % P, c * b % P
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % P, u * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, e * (aa + 121665 * e) % P
    if swapped:
        x2, z2 = x3, z3
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


def _box_key(shared: bytes) -> bytes:
    return _hsalsa(shared, bytes(16))


def _box_nonce(ephemeral: bytes, recipient: bytes) -> bytes:
    return hashlib.blake2b(ephemeral + recipient, digest_size=24).digest()


def _salsa_box(key: bytes, nonce: bytes, message: bytes) -> bytes:
    """XSalsa20-Poly1305: the tag, and after it the message with the stream laid over it."""
    stream = _salsa_stream(_hsalsa(key, nonce[:16]), nonce[16:])
    first = next(stream)
    hidden = _xor(message, _after(first[32:], stream))
    return _poly1305(first[:32], hidden) + hidden


def _hsalsa(key: bytes, nonce: bytes) -> bytes:
    words = _salsa_words(key, nonce)
    _salsa_rounds(words)
    return struct.pack("<8I", *(words[place] for place in (0, 5, 10, 15, 6, 7, 8, 9)))


def _salsa_stream(key: bytes, nonce: bytes) -> Iterator[bytes]:
    counter = 0
    while True:
        start = _salsa_words(key, nonce + counter.to_bytes(8, "little"))
        words = list(start)
        _salsa_rounds(words)
        yield WORDS_16.pack(*(a + b & 0xFFFFFFFF for a, b in zip(words, start)))
        counter += 1


def _salsa_words(key: bytes, rest: bytes) -> list[int]:
    k, n = struct.unpack("<8I", key), struct.unpack("<4I", rest)
    return [SIGMA[0], *k[:4], SIGMA[1], *n, SIGMA[2], *k[4:], SIGMA[3]]


def _salsa_rounds(x: list[int]) -> None:
    for _ in range(10):
        for a, b, c, d in SALSA_QUARTERS:
            x[b] ^= _turn(x[a] + x[d], 7)
            x[c] ^= _turn(x[b] + x[a], 9)
            x[d] ^= _turn(x[c] + x[b], 13)
            x[a] ^= _turn(x[d] + x[c], 18)


def _chacha_stream(key: bytes, nonce: bytes) -> tuple[bytes, Iterator[bytes]]:
    """The key of the tag, and the stream; XChaCha20 as draft-irtf-cfrg-xchacha has it."""
    words = [*SIGMA, *struct.unpack("<8I", key), *struct.unpack("<4I", nonce[:16])]
    _chacha_rounds(words)
    subkey = (*words[:4], *words[12:])
    blocks = _chacha_blocks(subkey, (0, *struct.unpack("<2I", nonce[16:])))
    return next(blocks)[:32], blocks


def _chacha_blocks(key: tuple[int, ...], nonce: tuple[int, ...]) -> Iterator[bytes]:
    counter = 0
    while True:
        start = [*SIGMA, *key, counter, *nonce]
        words = list(start)
        _chacha_rounds(words)
        yield WORDS_16.pack(*(a + b & 0xFFFFFFFF for a, b in zip(words, start)))
        counter += 1


def _chacha_rounds(x: list[int]) -> None:
    for _ in range(10):
        for a, b, c, d in CHACHA_QUARTERS:
            x[a] = x[a] + x[b] & 0xFFFFFFFF
            x[d] = _turn(x[d] ^ x[a], 16)
            x[c] = x[c] + x[d] & 0xFFFFFFFF
            x[b] = _turn(x[b] ^ x[c], 12)
            x[a] = x[a] + x[b] & 0xFFFFFFFF
            x[d] = _turn(x[d] ^ x[a], 8)
            x[c] = x[c] + x[d] & 0xFFFFFFFF
            x[b] = _turn(x[b] ^ x[c], 7)


def _turn(word: int, bits: int) -> int:
    word &= 0xFFFFFFFF
    return (word << bits | word >> 32 - bits) & 0xFFFFFFFF


def _after(first: bytes, stream: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from stream


def _xor(message: bytes, stream: Iterator[bytes]) -> bytes:
    over = bytearray()
    while len(over) < len(message):
        over += next(stream)
    size = len(message)
    mixed = int.from_bytes(message, "little") ^ int.from_bytes(over[:size], "little")
    return mixed.to_bytes(size, "little")


def _aead_tag(key: bytes, hidden: bytes, associated: bytes) -> bytes:
    """RFC 8439 section 2.8."""
    lengths = struct.pack("<2Q", len(associated), len(hidden))
    return _poly1305(key, _padded(associated) + _padded(hidden) + lengths)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 16)


def _poly1305(key: bytes, message: bytes) -> bytes:
    """RFC 8439 section 2.5."""
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    total = 0
    for start in range(0, len(message), 16):
        block = message[start : start + 16] + b"\x01"
        total = (total + int.from_bytes(block, "little")) * r % POLY1305_PRIME
    return (total + int.from_bytes(key[16:], "little") & (1 << 128) - 1).to_bytes(16, "little")
