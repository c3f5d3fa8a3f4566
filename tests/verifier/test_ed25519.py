"""Signatures by RFC 8032, strictly; judged against the RFC's vectors and `cryptography`."""

import random

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from verifier.ed25519 import L, P, load_key

# RFC 8032, 7.1: secret key, public key, message, signature (tests 1, 2, 3 and SHA(abc)).
RFC_8032 = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
            "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
    (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        (
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
            "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"
        ),
    ),
]


def verifies(key: bytes, message: bytes, signature: bytes) -> bool:
    loaded = load_key(key)
    return loaded is not None and loaded.verify(message, signature)


def reference(key: bytes, message: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


@pytest.mark.parametrize(("key", "message", "signature"), RFC_8032)
def test_the_vectors_of_the_rfc_verify(key, message, signature):
    assert verifies(*map(bytes.fromhex, (key, message, signature)))


def test_signatures_of_another_library_verify():
    draw = random.Random(8032)
    for size in (0, 1, 63, 64, 65, 300):
        private = Ed25519PrivateKey.from_private_bytes(draw.randbytes(32))
        message = draw.randbytes(size)
        key = private.public_key().public_bytes_raw()
        assert verifies(key, message, private.sign(message))


def test_every_single_bit_matters():
    key, message, signature = (bytes.fromhex(part) for part in RFC_8032[2])
    for bit in range(0, 512, 7):
        changed = bytearray(signature)
        changed[bit // 8] ^= 1 << bit % 8
        assert not verifies(key, message, bytes(changed))
    for bit in range(0, 256, 7):
        other = bytearray(key)
        other[bit // 8] ^= 1 << bit % 8
        assert not verifies(bytes(other), message, signature)
    assert not verifies(key, message + b"\0", signature)


@pytest.mark.parametrize("size", [0, 32, 63, 65, 128])
def test_a_signature_of_another_size_is_none(size):
    key, message, signature = (bytes.fromhex(part) for part in RFC_8032[0])
    assert not verifies(key, message, (signature * 2)[:size])


def test_s_has_one_form_only():
    key, message, signature = (bytes.fromhex(part) for part in RFC_8032[1])
    s = int.from_bytes(signature[32:], "little")
    for multiple in range(1, 16):
        raised = s + multiple * L
        if raised < 2**256:
            assert not verifies(key, message, signature[:32] + raised.to_bytes(32, "little"))


SMALL_ORDER = [0, 1, P - 1, P, P + 1, 2**255 - 1]
ORDER_8 = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"


@pytest.mark.parametrize("y", SMALL_ORDER)
@pytest.mark.parametrize("sign", [0, 1])
def test_keys_of_small_order_and_of_a_second_form_are_refused(y, sign):
    assert load_key((y | sign << 255).to_bytes(32, "little")) is None


def test_a_key_of_order_8_off_the_curve_or_of_another_size_is_refused():
    assert load_key(bytes.fromhex(ORDER_8)) is None
    assert load_key(b"\x02" + bytes(31)) is None  # y = 2 has no x
    assert load_key(bytes(31)) is None
    assert load_key(bytes(33)) is None


def test_a_neutral_r_with_s_of_zero_signs_nothing():
    key = bytes.fromhex(RFC_8032[0][0])
    neutral = (1).to_bytes(32, "little")
    assert not verifies(key, b"", neutral + bytes(32))


def test_random_keys_and_signatures_are_judged_as_by_the_reference():
    draw = random.Random(25519)
    private = Ed25519PrivateKey.from_private_bytes(draw.randbytes(32))
    key = private.public_key().public_bytes_raw()
    signature = private.sign(b"message")
    for _ in range(40):
        at, new = draw.randrange(64), draw.randrange(256)
        changed = signature[:at] + bytes([new]) + signature[at + 1 :]
        assert verifies(key, b"message", changed) == reference(key, b"message", changed)
        stranger = draw.randbytes(32)
        assert verifies(stranger, b"message", signature) == reference(
            stranger, b"message", signature
        )
