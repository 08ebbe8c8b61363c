"""Ed25519 of RFC 8032 in pure Python: standard library only, Python 3.9 or newer.

Keys, seeds, messages and signatures are bytes: 32 for a seed or a public key, 64 for a signature.
It is made to be read and to run anywhere. It takes milliseconds where a compiled library takes
microseconds, and its running time depends on the seed: do not sign with it where somebody may
measure you closely.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple, Optional

__all__ = ["is_fit_public_key", "public_key_of", "sign", "verify"]

P = 2**255 - 19
GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQUARE_ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)


class Point(NamedTuple):
    """A point of edwards25519 in extended coordinates: x = X/Z, y = Y/Z, x*y = T/Z."""

    X: int
    Y: int
    Z: int
    T: int


NEUTRAL = Point(0, 1, 1, 0)


def public_key_of(seed: bytes) -> bytes:
    """The public key of a 32-byte seed (RFC 8032 section 5.1.5)."""
    scalar, _ = _expand(seed)
    return _encode(_multiply(scalar, BASE))


def sign(seed: bytes, message: bytes) -> bytes:
    """The signature over message by the key of a 32-byte seed (RFC 8032 section 5.1.6)."""
    scalar, prefix = _expand(seed)
    public_key = _encode(_multiply(scalar, BASE))
    nonce = _hash_to_scalar(prefix, message)
    encoded_r = _encode(_multiply(nonce, BASE))
    challenge = _hash_to_scalar(encoded_r, public_key, message)
    s = (nonce + challenge * scalar) % GROUP_ORDER
    return encoded_r + s.to_bytes(32, "little")


def verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature over message is of public_key (RFC 8032 section 5.1.7).

    Checked without cofactor, byte for byte and with S below the group order. Never true for a key
    that is_fit_public_key refuses, nor for keys and signatures of another length.
    """
    if len(signature) != 64 or not is_fit_public_key(public_key):
        return False
    point = _decode(public_key)
    s = int.from_bytes(signature[32:], "little")
    if point is None or s >= GROUP_ORDER:
        return False
    encoded_r = signature[:32]
    challenge = _hash_to_scalar(encoded_r, public_key, message)
    return _encode(_add(_multiply(s, BASE), _multiply(challenge, _negate(point)))) == encoded_r


def is_fit_public_key(public_key: bytes) -> bool:
    """Whether these are 32 bytes that canonically encode a point that is not of small order.

    Under the eight points whose order divides 8 many verifiers accept a signature that anybody can
    make for any message.
    """
    point = _decode(public_key)
    return point is not None and not _is_neutral(_multiply(8, point))


def _expand(seed: bytes) -> tuple[int, bytes]:
    if len(seed) != 32:
        raise ValueError("a seed is 32 bytes")
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little")
    scalar &= (1 << 254) - 8
    scalar |= 1 << 254
    return scalar, digest[32:]


def _hash_to_scalar(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % GROUP_ORDER


def _encode(point: Point) -> bytes:
    z_inverse = pow(point.Z, -1, P)
    x = point.X * z_inverse % P
    y = point.Y * z_inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _decode(data: bytes) -> Optional[Point]:
    """The point of a canonical encoding, or None (RFC 8032 section 5.1.3)."""
    if len(data) != 32:
        return None
    number = int.from_bytes(data, "little")
    sign_bit, y = number >> 255, number & ((1 << 255) - 1)
    if y >= P:
        return None
    x = _recover_x(y)
    if x is None or (x == 0 and sign_bit == 1):
        return None
    if x & 1 != sign_bit:
        x = P - x
    return Point(x, y, 1, x * y % P)


def _recover_x(y: int) -> Optional[int]:
    x_squared = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(x_squared, (P + 3) // 8, P)
    if (x * x - x_squared) % P != 0:
        x = x * SQUARE_ROOT_OF_MINUS_1 % P
    return x if (x * x - x_squared) % P == 0 else None


def _add(left: Point, right: Point) -> Point:
    """RFC 8032 section 5.1.4; the formulas are complete, so they double as well."""
    a = (left.Y - left.X) * (right.Y - right.X) % P
    b = (left.Y + left.X) * (right.Y + right.X) % P
    c = 2 * left.T * right.T * D % P
    d = 2 * left.Z * right.Z % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return Point(e * f % P, g * h % P, f * g % P, e * h % P)


def _negate(point: Point) -> Point:
    return Point(-point.X % P, point.Y, point.Z, -point.T % P)


def _multiply(scalar: int, point: Point) -> Point:
    result = NEUTRAL
    while scalar > 0:
        if scalar & 1:
            result = _add(result, point)
        point = _add(point, point)
        scalar >>= 1
    return result


def _is_neutral(point: Point) -> bool:
    return point.X == 0 and (point.Y - point.Z) % P == 0


def _base() -> Point:
    # y = 4/5 with the even x, RFC 8032 section 5.1.
    point = _decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    assert point is not None
    return point


BASE = _base()
