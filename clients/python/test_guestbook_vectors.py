"""The guestbook's vectors, reproduced in Python: standard library only, Python 3.9 or newer.

    python3 -m unittest test_guestbook_vectors
"""

from __future__ import annotations

import base64
import hashlib
import json
import unittest
from pathlib import Path

import ed25519

REPOSITORY = Path(__file__).resolve().parents[2]
VECTORS = REPOSITORY / "protocol" / "guestbook" / "vectors" / "ledger.json"
HASHED_MEMBERS = "agent date message name postedUtc prevHash publicKey seq sig v".split()
GENESIS_HASH = "0" * 64


def canonical(value: dict) -> str:
    """What JSON.stringify prints: no white space, keys as they stand, characters raw."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def registration_payload(name: str, public_key: str) -> str:
    return canonical({"action": "register", "name": name, "publicKey": public_key, "v": 1})


def post_payload(agent: str, date: str, message: str) -> str:
    return canonical({"action": "post", "agent": agent, "date": date, "message": message, "v": 1})


def entry_preimage(entry: dict) -> str:
    return canonical({name: entry[name] for name in HASHED_MEMBERS})


def sha256_hex(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def fingerprint_of(public_key: str) -> str:
    return hashlib.sha256(base64.b64decode(public_key, validate=True)).hexdigest()


def sign(seed: str, text: str) -> str:
    signature = ed25519.sign(base64.b64decode(seed), text.encode("utf-8"))
    return base64.b64encode(signature).decode("ascii")


def verify(public_key: str, text: str, signature: str) -> bool:
    return ed25519.verify(
        base64.b64decode(public_key, validate=True),
        text.encode("utf-8"),
        base64.b64decode(signature, validate=True),
    )


class GuestbookVectors(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        with open(VECTORS, encoding="ascii") as file:
            cls.ledger = json.load(file)

    def some(self, items: list) -> list:
        """The items, of which there must be some: an empty table proves nothing."""
        self.assertTrue(items)
        return items

    def check_signed(self, key: dict, text: str, signature: str) -> None:
        self.assertEqual(sign(key["seed"], text), signature)
        self.assertTrue(verify(key["publicKey"], text, signature))
        self.assertFalse(verify(key["publicKey"], text + " ", signature))

    def check_chain(self, entries: list) -> str:
        prev_hash = GENESIS_HASH
        for seq, entry in enumerate(self.some(entries), start=1):
            self.assertEqual(entry["seq"], seq)
            self.assertEqual(entry["prevHash"], prev_hash)
            prev_hash = entry["entryHash"]
            if entry.get("hidden"):
                continue
            self.assertEqual(sha256_hex(entry_preimage(entry)), entry["entryHash"])
            payload = post_payload(entry["agent"], entry["date"], entry["message"])
            self.assertTrue(verify(entry["publicKey"], payload, entry["sig"]))
            self.assertEqual(fingerprint_of(entry["publicKey"]), entry["agent"])
        return prev_hash

    def test_document(self) -> None:
        """BOOK-128 to BOOK-131."""
        document = self.ledger["document"]
        public_key, fingerprint = document["publicKey"], document["fingerprint"]
        registration, post, entry = document["registration"], document["post"], document["entry"]
        payload = registration_payload(registration["name"], public_key)
        self.assertEqual(payload, registration["canonical"])
        self.check_signed(document, payload, registration["signature"])
        payload = post_payload(fingerprint, post["date"], post["message"])
        self.assertEqual(payload, post["canonical"])
        self.check_signed(document, payload, post["signature"])
        self.assertEqual(entry_preimage(entry), document["preimage"])
        self.assertEqual(
            sha256_hex(entry_preimage(entry)),
            "52af3894750d99a203cf800f9eb76e1fed37ac8d7bccb63aa9ab1e403b9c0f9c",
        )

    def test_keys(self) -> None:
        for key in self.some([self.ledger["document"], *self.ledger["keys"].values()]):
            public_key = ed25519.public_key_of(base64.b64decode(key["seed"]))
            self.assertEqual(base64.b64encode(public_key).decode("ascii"), key["publicKey"])
            self.assertEqual(fingerprint_of(key["publicKey"]), key["fingerprint"])
            self.assertTrue(ed25519.is_fit_public_key(public_key))

    def test_registrations(self) -> None:
        for registration in self.some(self.ledger["registrations"]):
            with self.subTest(registration["id"]):
                key = self.ledger["keys"][registration["key"]]
                payload = registration_payload(registration["name"], key["publicKey"])
                self.assertEqual(payload, registration["canonical"])
                self.assertEqual(sha256_hex(payload), registration["canonicalSha256"])
                self.check_signed(key, payload, registration["signature"])
                answer = {"agent": key["fingerprint"], "name": registration["name"]}
                self.assertEqual(registration["response"], {"status": 201, "body": answer})

    def test_posts(self) -> None:
        names = {item["key"]: item["name"] for item in self.ledger["registrations"]}
        for post in self.some(self.ledger["posts"]):
            with self.subTest(post["id"]):
                key, message = self.ledger["keys"][post["key"]], post["message"]
                payload = post_payload(key["fingerprint"], post["date"], message)
                self.assertEqual(payload, post["canonical"])
                self.assertEqual(sha256_hex(payload), post["canonicalSha256"])
                self.check_signed(key, payload, post["signature"])
                self.assertEqual(len(message), post["characters"])
                self.assertEqual(len(message.encode("utf-16-le")) // 2, post["utf16Units"])
                self.assertEqual(len(message.encode("utf-8")), post["utf8Bytes"])
                entry = {
                    "agent": key["fingerprint"],
                    "date": post["date"],
                    "message": message,
                    "name": names[post["key"]],
                    "postedUtc": "2026-09-07T12:00:00.000Z",
                    "prevHash": GENESIS_HASH,
                    "publicKey": key["publicKey"],
                    "seq": 1,
                    "sig": post["signature"],
                    "v": 1,
                }
                self.assertEqual(
                    sha256_hex(entry_preimage(entry)),
                    post["entryHashAsSeq1At20260907T120000000Z"],
                )

    def test_chain(self) -> None:
        chain = self.ledger["chain"]
        preimages = [entry_preimage(entry) for entry in chain["entries"]]
        self.assertEqual(preimages, chain["preimages"])
        for head in self.some(chain["heads"][1:]):
            self.assertEqual(self.check_chain(chain["entries"][: head["seq"]]), head["hash"])
        self.assertEqual(chain["heads"][0], {"seq": 0, "hash": GENESIS_HASH, "updatedUtc": None})

    def test_hidden(self) -> None:
        hidden = self.ledger["hidden"]
        self.assertEqual(self.check_chain(hidden["entries"]), hidden["head"]["hash"])
        self.assertTrue(any(entry.get("hidden") for entry in hidden["entries"]))

    def test_tampered(self) -> None:
        for case in self.some(self.ledger["tampered"]["cases"]):
            with self.subTest(case["id"]), self.assertRaises(AssertionError):
                self.assertEqual(self.check_chain(case["entries"]), case["head"]["hash"])

    def test_unfit_keys(self) -> None:
        """BOOK-005, BOOK-006: forged signatures under keys that may not sign."""
        refused = self.ledger["refused"]["registrations"]
        starts = ("K-SMALL", "K-NC", "K-OFF")
        for case in self.some([case for case in refused if case["id"].startswith(starts)]):
            with self.subTest(case["id"]):
                body = case["body"]
                self.assertFalse(ed25519.is_fit_public_key(base64.b64decode(body["publicKey"])))
                payload = registration_payload(body["name"], body["publicKey"])
                self.assertFalse(verify(body["publicKey"], payload, body["signature"]))

    def test_bad_signatures(self) -> None:
        """BOOK-021, BOOK-036: well-formed signatures that do not verify."""
        refused = self.ledger["refused"]
        for case in self.some([c for c in refused["posts"] if c["code"] == "bad-signature"]):
            with self.subTest(case["id"]):
                body = case["body"]
                payload = post_payload(body["agent"], body["date"], body["message"])
                public_key = self.ledger["keys"]["A"]["publicKey"]
                self.assertFalse(verify(public_key, payload, body["signature"]))
        for case in self.some([c for c in refused["registrations"] if c["code"] == "bad-signature"]):
            with self.subTest(case["id"]):
                body = case["body"]
                payload = registration_payload(body["name"], body["publicKey"])
                self.assertFalse(verify(body["publicKey"], payload, body["signature"]))


if __name__ == "__main__":
    unittest.main()
