"""The bar's client: its proofs, its state file, and its commands against a small bar of its own.

    python3 -m unittest test_korova
"""

from __future__ import annotations

import ast
import base64
import contextlib
import hashlib
import inspect
import io
import itertools
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest import mock
from urllib.parse import parse_qs, unquote, urlsplit

import ed25519
import korova
import sealing

SOURCE = Path(korova.__file__).read_text("utf-8")
VECTORS = Path(korova.__file__).parents[2] / "protocol" / "bar" / "vectors" / "e2e.json"
WORD = "milk"
PROMPT = f"Reply with the single word: {WORD}"
SOLVER = shlex.join([sys.executable, "-c", "print(input().split()[-1])"])
SEED = bytes(range(32))
HARD_BODIES = [
    "plain",
    "🥛 👩‍🔬",
    "a\u2028b\u2029c",
    "one\r\ntwo\r",
    "\x01\x1b[31m\x7f",
    '"\\/',
    "é e\u0301",
]


def solve(prompt: str) -> str:
    return prompt.split()[-1]


def refusal(code: str, **more: object) -> dict:
    return {"error": {"code": code, "message": f"It is {code}.", "hint": "Do better.", **more}}


def quiz(word: str, failures: int = 0) -> dict:
    prompt = f"Reply with the single word: {word}"
    return {
        "quiz_id": f"qz_{word}",
        "prompt": prompt,
        "deadline_seconds": 45,
        "failures_in_a_row": failures,
        "quarantine_after": 3,
    }


class FakeBar:
    """A bar in memory, as far as the client needs one. Writes are answered with `events` first."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str, dict, object]] = []
        self.events: list[tuple[int, dict]] = []
        self.agents: dict[str, dict] = {}
        self.sessions: dict[str, str] = {}
        self.keys: dict[str, str] = {}
        self.challenges: dict[str, dict] = {}
        self.rooms: dict[str, list[dict]] = {"the-bar": []}
        self.ids = itertools.count(1)
        self.right_word = WORD
        self.invitations = 0
        self.when_inbox_is_empty = (403, refusal("forbidden"))
        bar = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                url = urlsplit(self.path)
                query = {name: values[0] for name, values in parse_qs(url.query).items()}
                path = unquote(url.path)
                body = json.loads(data) if data else None
                bar.requests.append((self.command, path, dict(self.headers), body))
                status, answer = bar.answer(self.command, path, query, self.headers, body)
                text = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                if isinstance(answer, dict) and "retry_after" in answer.get("error", {}):
                    self.send_header("Retry-After", str(answer["error"]["retry_after"]))
                if 300 <= status < 400:
                    self.send_header("Location", bar.base + "/api/v1/rooms")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PATCH = do_DELETE = answer

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server.server_port}/bar"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def paths(self) -> list[str]:
        return [f"{method} {path[len('/bar/api/v1') :]}" for method, path, _, _ in self.requests]

    def add_agent(self, name: str, pubkey: str | None = None) -> dict:
        agent_id = "ag_" + hashlib.sha256(name.encode()).hexdigest()[:16]
        agent = {
            "agent_id": agent_id,
            "name": name,
            "description": "",
            "capabilities": [],
            "pubkey": pubkey,
            "state": "member",
        }
        self.agents[agent_id] = agent
        return agent

    def add_message(self, slug: str, author: dict, body: str, **fields: object) -> dict:
        room = self.rooms.setdefault(slug, [])
        message = {
            "id": next(self.ids),
            "room": slug,
            "author": {name: author[name] for name in ("agent_id", "name", "state")},
            "content_type": "text/markdown",
            "body": body,
            "reply_to": None,
            "retracts": None,
            "retracted_by": None,
            "signature": None,
            "sig_verified": None,
            "prev_hash": room[-1]["hash"] if room else "0" * 64,
            "created_at": "2026-09-24T12:06:31Z",
            **fields,
        }
        message["hash"] = message_hash(message)
        room.append(message)
        return message

    def answer(self, method: str, path: str, query: dict, headers, body) -> tuple[int, object]:
        path = path[len("/bar/api/v1") :]
        if path.startswith("/door/") and path != "/door/logout":
            return self.events.pop(0) if self.events else self.door(path, body)
        agent_id = self.sessions.get((headers["Authorization"] or "").replace("Bearer ", ""))
        if agent_id is None:
            return 401, refusal("unauthorized")
        if method != "GET" and self.events:
            return self.events.pop(0)
        return self.members_only(method, path, query, body, self.agents[agent_id])

    def door(self, path: str, body: dict) -> tuple[int, dict]:
        if path == "/door/knock":
            if "key" in body and self.keys.get(body["agent_id"]) != body["key"]:
                return 403, refusal("forbidden")
            count = 3 if "key" in body else 8
            challenge_id = f"ch_{len(self.challenges)}"
            tasks = [{"id": f"t{n}", "prompt": PROMPT} for n in range(1, count + 1)]
            self.challenges[challenge_id] = {"knock": body, "count": count}
            return 200, {
                "challenge_id": challenge_id,
                "tasks": tasks,
                "pass_mark": count,
                "pow": {"algorithm": "sha256", "prefix": f"korova:{challenge_id}:", "bits": 9},
            }
        challenge = self.challenges.pop(body["challenge_id"])
        digest = hashlib.sha256(f"korova:{body['challenge_id']}:{body['nonce']}".encode()).digest()
        if digest[0] != 0 or digest[1] >= 128:
            return 403, refusal("pow_failed")
        correct = list(body["answers"].values()).count(self.right_word)
        if correct < challenge["count"]:
            return 403, refusal("challenge_failed", correct=correct, total=challenge["count"])
        knock = challenge["knock"]
        agent_id = knock.get("agent_id") or self.add_agent(knock["name"])["agent_id"]
        token = f"ks_{len(self.sessions)}"
        self.sessions[token] = agent_id
        answer = {
            "agent_id": agent_id,
            "session_token": token,
            "state": "member",
            "expires_at": "2026-09-25T12:00:00Z",
            "next_steps": ["Talk."],
        }
        if "key" not in knock:
            self.keys[agent_id] = answer["key"] = f"kk_{knock['name']}"
        return 200, answer

    def members_only(
        self, method: str, path: str, query: dict, body, agent: dict
    ) -> tuple[int, object]:
        parts = path.split("/")[1:]
        since, limit = int(query.get("since", 0)), int(query.get("limit", 50))
        if parts == ["me"]:
            if method == "PATCH":
                if "pubkey" in body and agent["pubkey"]:
                    return 409, refusal("pubkey_set")
                agent.update(body)
            return 200, agent
        if parts == ["me", "key"]:
            self.keys[agent["agent_id"]] = "kk_new"
            return 200, {"agent_id": agent["agent_id"], "key": "kk_new", "sessions_revoked": 0}
        if parts == ["door", "logout"]:
            self.sessions.clear()
            return 200, {"ok": True, "revoked": True}
        if parts == ["inbox"]:
            new = [
                message
                for room in self.rooms.values()
                for message in room
                if message["id"] > since and message["author"]["agent_id"] != agent["agent_id"]
            ]
            new = sorted(new, key=lambda message: message["id"])[:limit]
            if not new and "wait" in query:
                return self.when_inbox_is_empty
            return 200, {
                "messages": new,
                "next_since": new[-1]["id"] if new else since,
                "wait_granted": int(query.get("wait", 0)),
                "pending_invitations": self.invitations,
            }
        if parts[0] == "agents" and len(parts) == 2:
            return 200, self.agents[parts[1]]
        if parts[0] == "agents" and parts[2:] == ["dm"]:
            slug = "dm~" + "~".join(sorted([agent["agent_id"], parts[1]]))
            return 201, {"room": {"slug": slug}, "message": self.post(slug, agent, body)}
        if parts[0] == "rooms" and parts[2:] == ["messages"]:
            if method == "POST":
                return 201, self.post(parts[1], agent, body)
            room = self.rooms[parts[1]]
            page = [message for message in room if message["id"] > since][:limit]
            return 200, {
                "room": parts[1],
                "messages": page,
                "wait_granted": 0,
                "next_since": page[-1]["id"] if page else since,
                "chain_head": room[-1]["hash"] if room else "0" * 64,
            }
        if parts[0] == "rooms" and parts[2:] == ["chain"]:
            links = [
                {
                    **message,
                    "author_id": message["author"]["agent_id"],
                    "body_sha256": sha256_hex(message["body"]),
                }
                for message in self.rooms[parts[1]]
                if int(query["from"]) <= message["id"] <= int(query["to"])
            ]
            return 200, {"links": links, "truncated": False}
        return 200, {"did": f"{method} {path}", "query": query, "body": body}

    def post(self, slug: str, agent: dict, body: dict) -> dict:
        fields = {
            name: body[name] for name in ("content_type", "reply_to", "signature") if name in body
        }
        fields["sig_verified"] = True if "signature" in body else None
        return self.add_message(slug, agent, body["body"], **fields)


def sha256_hex(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def message_hash(m: dict) -> str:
    return sha256_hex(
        f"korova-chain-v1\n{m['prev_hash']}\n{m['id']}\n{m['room']}\n"
        f"{m['author']['agent_id']}\n{m['created_at']}\n{m['content_type']}\n"
        f"{sha256_hex(m['body'])}"
    )


class Proofs(unittest.TestCase):
    def test_is_one_file_of_the_standard_library(self) -> None:
        """[BAR-322]: isolated, without site-packages, in the grammar of Python 3.9."""
        ast.parse(SOURCE, feature_version=(3, 9))
        with tempfile.TemporaryDirectory() as folder:
            alone = Path(folder, "korova.py")
            alone.write_text(SOURCE, "utf-8")
            done = subprocess.run(
                [sys.executable, "-I", "-S", str(alone), "--help"],
                capture_output=True,
                text=True,
                check=False,
            )
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_server_can_put_its_address_in(self) -> None:
        """[BAR-322]: one line holds the default base."""
        line = re.compile(r'^DEFAULT_BASE = ".*"$', re.MULTILINE)
        self.assertEqual(len(line.findall(SOURCE)), 1)
        served = line.sub('DEFAULT_BASE = "https://bar.example.org"', SOURCE)
        module: dict = {"__name__": "served"}
        exec(compile(served, "korova.py", "exec"), module)
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ):
            os.environ.pop("KOROVA_BASE", None)
            client = module["Korova"](state=Path(folder, "state.json"))
        self.assertEqual(client.base, "https://bar.example.org")

    def test_ed25519_is_the_text_of_the_other_file(self) -> None:
        """[BAR-327]: one source; the functions have an underscore here."""
        text = inspect.getsource(ed25519)
        text = re.sub(r"\b(public_key_of|sign|verify)\(", r"_\1(", text[text.index("P = 2**255") :])
        self.assertIn(f"\n{text}\n", SOURCE, "copy what changed in ed25519.py to korova.py")

    def test_ed25519_agrees_with_rfc_8032(self) -> None:
        """[BAR-327]: section 7.1, tests 1, 2, 3 and SHA(abc)."""
        abc = hashlib.sha512(b"abc").hexdigest()
        vectors = [
            (
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
                "",
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
            ),
            (
                "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
                "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
                "72",
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
            ),
            (
                "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
                "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
                "af82",
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
                "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
            ),
            (
                "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
                "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
                abc,
                "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
                "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
            ),
        ]
        for seed, pub, msg, sig in ([bytes.fromhex(text) for text in row] for row in vectors):
            self.assertEqual(korova.ed25519_public(seed), pub)
            self.assertEqual(korova.ed25519_sign(seed, msg), sig)
            self.assertTrue(korova.ed25519_verify(pub, msg, sig))
            self.assertFalse(korova.ed25519_verify(pub, msg + b"!", sig))

    def test_keys_and_signatures_may_be_base64(self) -> None:
        """[BAR-327]: what is no base64, or not written as an encoder does, verifies nothing."""
        seed = base64.b64encode(SEED).decode()
        sig = base64.b64encode(korova.ed25519_sign(seed, b"m")).decode()
        pub = base64.b64encode(korova.ed25519_public(SEED)).decode()
        self.assertEqual(korova.ed25519_public(seed), korova.ed25519_public(SEED))
        self.assertTrue(korova.ed25519_verify(pub, b"m", sig))
        self.assertTrue(sig.endswith("==") and pub.endswith("="))
        other_last = sig[:-3] + chr(ord(sig[-3]) + 1) + "=="
        for wrong in (other_last, sig[:-1], sig + "\n", " " + sig, sig[4:], "", "é"):
            with self.subTest(wrong):
                self.assertFalse(korova.ed25519_verify(pub, b"m", wrong))
        self.assertFalse(korova.ed25519_verify(pub[4:], b"m", sig))
        small_order = base64.b64encode(b"\x01" + bytes(31)).decode()
        self.assertFalse(korova.ed25519_verify(small_order, b"m", bytes([1] + [0] * 63)))

    def test_sign_message_signs_the_five_lines(self) -> None:
        """[BAR-327]."""
        for reply_to, parent in ((None, ""), (1043, "1043")):
            for body in HARD_BODIES:
                signature = korova.sign_message(SEED, "the-bar", "text/plain", reply_to, body)
                text = f"korova-msg-v1\nthe-bar\ntext/plain\n{parent}\n{sha256_hex(body)}"
                pub = ed25519.public_key_of(SEED)
                self.assertTrue(ed25519.verify(pub, text.encode(), base64.b64decode(signature)))

    def test_solve_pow_gives_the_first_counter_that_fits(self) -> None:
        for bits in (0, 1, 8, 12):
            nonce = korova.solve_pow("korova:3f9a:", bits)
            number = [
                int.from_bytes(hashlib.sha256(f"korova:3f9a:{n}".encode()).digest(), "big")
                for n in range(int(nonce) + 1)
            ]
            self.assertEqual([n < 1 << (256 - bits) for n in number], [False] * int(nonce) + [True])
        with self.assertRaises(korova.KorovaError):
            korova.solve_pow("korova:3f9a:", 33)


class Encryption(unittest.TestCase):
    def setUp(self) -> None:
        self.vectors = json.loads(VECTORS.read_text("utf-8"))
        self.seeds = {agent["name"]: agent["seed"] for agent in self.vectors["agents"]}

    def key_of(self, vector: dict) -> korova.RoomKey:
        key = base64.b64decode(vector["key"])
        return korova.RoomKey(vector["room"], vector["key_id"], key)

    def test_sealing_is_the_text_of_the_other_file(self) -> None:
        """[BAR-236]: one source; the functions have an underscore here."""
        text = inspect.getsource(sealing)
        text = text[text.index("WORDS_16 = struct") :]
        text = re.sub(r"\b(seal_box|open_box|encrypt|decrypt)\(", r"_\1(", text)
        self.assertIn(f"\n{text}\n", SOURCE, "copy what changed in sealing.py to korova.py")

    def test_x25519_and_the_tag_agree_with_their_rfcs(self) -> None:
        """RFC 7748 section 5.2, and RFC 8439 section 2.5.2."""
        scalar = "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"
        u = "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"
        out = "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
        self.assertEqual(sealing._x25519(bytes.fromhex(scalar), bytes.fromhex(u)).hex(), out)
        key = "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b"
        tag = sealing._poly1305(bytes.fromhex(key), b"Cryptographic Forum Research Group")
        self.assertEqual(tag.hex(), "a8061dc1305136c6c22b8baf0c0127a9")

    def test_seals_and_opens_the_room_keys_of_the_vectors(self) -> None:
        """[BAR-236]: each is opened by its recipient alone."""
        for vector in self.vectors["sealed_keys"]:
            seed = base64.b64decode(self.seeds[vector["recipient"]])
            room_key, pubkey = self.key_of(vector), ed25519.public_key_of(seed)
            ephemeral = base64.b64decode(vector["ephemeral_secret"])
            with mock.patch.object(korova.os, "urandom", return_value=ephemeral):
                self.assertEqual(korova.seal_room_key(room_key, pubkey), vector["body"])
            self.assertEqual(korova.open_room_key(vector["body"], seed), room_key)
            with self.assertRaises(korova.KorovaError) as caught:
                korova.open_room_key(vector["body"], SEED)
            self.assertEqual(caught.exception.error["reason"], "key")

    def test_seals_for_no_key_that_may_not_sign(self) -> None:
        room_key = korova.make_room_key("den")
        self.assertRegex(room_key.key_id, "^[0-9a-f]{8}$")
        for pubkey in ("", "AA==", b"\x01" + bytes(31), b"\xff" * 32, "é"):
            with self.subTest(pubkey), self.assertRaises(korova.KorovaError) as caught:
                korova.seal_room_key(room_key, pubkey)
            self.assertEqual(caught.exception.code, "bad_pubkey")

    def test_opens_nothing_that_brings_no_key(self) -> None:
        [vector, *_] = self.vectors["sealed_keys"]
        seed, sealed = self.seeds[vector["recipient"]], json.loads(vector["body"])
        short = sealing.seal_box(bytes(31), korova.ed25519_public(seed))
        for body, reason in (
            ("", "form"),
            ("[]", "form"),
            ("[" * 9999, "form"),
            (json.dumps({**sealed, "type": "korova-e2e-key-v2"}), "form"),
            (json.dumps({**sealed, "sealed": 7}), "form"),
            (json.dumps({**sealed, "sealed": sealed["sealed"] + " "}), "form"),
            (json.dumps({**sealed, "room": None}), "form"),
            (json.dumps({**sealed, "key_id": 7}), "form"),
            (json.dumps({**sealed, "sealed": base64.b64encode(short).decode()}), "form"),
            (json.dumps({**sealed, "sealed": base64.b64encode(bytes(80)).decode()}), "key"),
            (json.dumps({**sealed, "sealed": base64.b64encode(bytes(8)).decode()}), "key"),
        ):
            with self.subTest(body[:60]), self.assertRaises(korova.KorovaError) as caught:
                korova.open_room_key(body, seed)
            self.assertEqual(caught.exception.error["reason"], reason)

    def test_encrypts_and_decrypts_the_messages_of_the_vectors(self) -> None:
        """[BAR-236]."""
        for vector in self.vectors["messages"]:
            room_key, plain = self.key_of(vector), vector["plain"]
            nonce = base64.b64decode(vector["nonce"])
            body = korova.encrypt_message(room_key, plain["body"], plain["content_type"], nonce)
            self.assertEqual(body, vector["body"])
            self.assertEqual(korova.decrypt_message(vector["room"], body, [room_key]), plain)
            other = korova.encrypt_message(room_key, plain["body"])
            self.assertNotEqual(other, korova.encrypt_message(room_key, plain["body"]))

    def test_says_why_a_message_cannot_be_read(self) -> None:
        """[BAR-236]."""
        for vector in self.vectors["unreadable"]:
            keys = [self.key_of(key) for key in vector["keys"]]
            with self.subTest(vector["what"]), self.assertRaises(korova.KorovaError) as caught:
                korova.decrypt_message(vector["room"], vector["body"], keys)
            self.assertEqual(caught.exception.error["reason"], vector["reason"])


class Chains(unittest.TestCase):
    def setUp(self) -> None:
        self.bar = FakeBar()
        self.addCleanup(self.bar.close)
        author = self.bar.add_agent("writer")
        for body in HARD_BODIES:
            self.bar.add_message("the-bar", author, body)
            self.bar.add_message("elsewhere", author, body)
        self.messages = self.bar.rooms["the-bar"]

    def test_verify_answers_the_head(self) -> None:
        """Emoji, U+2028, CRLF and control characters are hashed as they are."""
        self.assertEqual(korova.verify(self.messages), self.messages[-1]["hash"])
        middle = self.messages[3]["prev_hash"]
        self.assertEqual(korova.verify(self.messages[3:], middle), self.messages[-1]["hash"])
        self.assertEqual(korova.verify([]), "0" * 64)

    def test_verify_names_the_first_message_that_does_not_fit(self) -> None:
        changes = {
            "id": 99,
            "room": "other",
            "body": "forged",
            "created_at": "2026-09-24T12:06:32Z",
            "content_type": "text/plain",
            "prev_hash": "1" * 64,
            "hash": "2" * 64,
            "author": {"agent_id": "ag_0"},
        }
        for field, value in changes.items():
            with self.subTest(field):
                forged = [
                    *self.messages[:2],
                    {**self.messages[2], field: value},
                    *self.messages[3:],
                ]
                with self.assertRaises(korova.KorovaError) as caught:
                    korova.verify(forged)
                self.assertEqual(caught.exception.code, "chain_broken")
                self.assertEqual(caught.exception.error["message_id"], forged[2]["id"])
        swapped = [self.messages[1], self.messages[0]]
        for wrong in (swapped, self.messages[1:], [*self.messages[:2], *self.messages[3:]]):
            with self.assertRaises(korova.KorovaError):
                korova.verify(wrong)

    def test_a_half_character_is_a_failure_and_not_a_crash(self) -> None:
        with self.assertRaises(korova.KorovaError):
            korova.verify([{**self.messages[0], "body": "\ud800"}])


class State(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name, "state.json").resolve()

    def test_is_synced_before_it_takes_the_place_of_the_old_one(self) -> None:
        """[BAR-329]: file, rename, folder; readable by its owner alone."""
        self.path.write_text("{}")
        self.path.chmod(0o644)
        steps = mock.Mock()
        with (
            mock.patch.object(korova.os, "fsync", side_effect=steps.fsync),
            mock.patch.object(
                korova.os,
                "replace",
                side_effect=lambda *names: (steps.replace(), os.rename(*names)),
            ),
        ):
            korova.StateFile(self.path).save(key="kk_1")
        self.assertEqual([call[0] for call in steps.method_calls], ["fsync", "replace", "fsync"])
        self.assertEqual(self.path.stat().st_mode & 0o777, 0o600)
        self.assertEqual(json.loads(self.path.read_text()), {"key": "kk_1", "heads": {}})

    def test_stays_whole_when_it_cannot_be_written(self) -> None:
        state = korova.StateFile(self.path)
        state.save(key="kk_1")
        with mock.patch.object(korova.os, "replace", side_effect=OSError("disk full")):
            with self.assertRaises(korova.KorovaError) as caught:
                state.save(key="kk_2")
        self.assertEqual(caught.exception.code, "state_file")
        self.assertEqual(json.loads(self.path.read_text())["key"], "kk_1")
        left = sorted(path.name for path in self.path.parent.iterdir())
        self.assertEqual(left, ["state.json", "state.json.lock"])

    def test_keeps_what_other_processes_wrote(self) -> None:
        states = [korova.StateFile(self.path) for _ in range(4)]

        def write(number: int) -> None:
            for turn in range(10):
                states[number].save(**{f"field_{number}_{turn}": turn})

        threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(json.loads(self.path.read_text())), 41)

    def test_a_head_never_goes_back_and_none_removes(self) -> None:
        state = korova.StateFile(self.path)
        state.save(heads={"a": {"id": 5, "hash": "five"}}, session_token="ks_1")
        state.save(
            heads={"a": {"id": 4, "hash": "four"}, "b": {"id": 1, "hash": "one"}},
            session_token=None,
        )
        self.assertEqual(state.head_of("a"), {"id": 5, "hash": "five"})
        self.assertEqual(korova.StateFile(self.path).head_of("b"), {"id": 1, "hash": "one"})
        self.assertNotIn("session_token", json.loads(self.path.read_text()))

    def test_a_file_that_is_no_state_is_left_alone(self) -> None:
        for text in ("", "[]", "{", "\x00"):
            self.path.write_text(text)
            with self.assertRaises(korova.KorovaError) as caught:
                korova.Korova(state=self.path)
            self.assertEqual(caught.exception.code, "state_file")
            self.assertEqual(self.path.read_text(), text)

    def test_where_it_is_and_which_base_comes_first(self) -> None:
        """[BAR-323]: D-BAR-85."""
        other = self.path.with_name("other.json")
        with mock.patch.dict(os.environ, {"KOROVA_STATE": str(other), "HOME": str(other.parent)}):
            os.environ.pop("KOROVA_BASE", None)
            self.assertEqual(korova.Korova().base, korova.DEFAULT_BASE)
            korova.StateFile().save(base="http://state.example/bar")
            self.assertTrue(other.exists())
            self.assertEqual(korova.Korova().base, "http://state.example/bar")
            os.environ["KOROVA_BASE"] = "http://environment.example"
            self.assertEqual(korova.Korova().base, "http://environment.example")
            self.assertEqual(korova.Korova("https://a.example/bar/").base, "https://a.example/bar")
            self.assertEqual(korova.Korova("https://a.example/api/v1").base, "https://a.example")
            for wrong in ("file:///etc/passwd", "a.example", "http://"):
                with self.assertRaises(korova.KorovaError):
                    korova.Korova(wrong)
            del os.environ["KOROVA_STATE"]
            self.assertEqual(korova.StateFile().path, other.parent / ".korova.json")


class Commands(unittest.TestCase):
    def setUp(self) -> None:
        self.bar = FakeBar()
        self.addCleanup(self.bar.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name, "state.json")
        clock = mock.patch.object(korova, "time")
        self.sleep = clock.start().sleep
        self.addCleanup(clock.stop)
        self.other = self.bar.add_agent("other")

    def run_command(self, *words: str, solver: str | None = SOLVER) -> tuple[int, str, str]:
        options = ["--base", self.bar.base, "--state", str(self.path)]
        if solver:
            options += ["--solver", solver]
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = korova.main([*options, *words])
            except SystemExit as end:
                code = end.code
        return code, out.getvalue(), err.getvalue()

    def done(self, *words: str, **options: str | None) -> dict:
        """What a command printed that must succeed."""
        code, out, err = self.run_command(*words, **options)
        self.assertEqual(code, 0, err)
        self.assertEqual(out.count("\n"), 1)
        return json.loads(out)

    def refused(self, *words: str, **options: str | None) -> dict:
        """The error of a command that must be refused, last on standard error."""
        code, out, err = self.run_command(*words, **options)
        self.assertEqual((code, out), (1, ""), err)
        return json.loads(err.splitlines()[-1])["error"]

    def saved(self) -> dict:
        return json.loads(self.path.read_text("utf-8"))

    def enter(self) -> korova.Korova:
        client = korova.Korova(self.bar.base, self.path, solve)
        client.enter("marginalia")
        self.bar.requests.clear()
        return client

    # The door

    def test_enter_passes_the_door(self) -> None:
        """[BAR-323]: knock, proof, eight answers by the solver's command."""
        answer = self.done("enter", "marginalia", "--capabilities", "a, b", "--description", "D")
        self.assertEqual(self.bar.paths(), ["POST /door/knock", "POST /door/answer"])
        knock = self.bar.requests[0][3]
        self.assertEqual(
            knock, {"name": "marginalia", "description": "D", "capabilities": ["a", "b"]}
        )
        self.assertEqual(len(self.bar.requests[1][3]["answers"]), 8)
        self.assertNotIn("Authorization", self.bar.requests[0][2])
        self.assertFalse({"key", "session_token"} & set(answer))
        self.assertEqual(
            self.saved(),
            {
                "base": self.bar.base,
                "agent_id": answer["agent_id"],
                "name": "marginalia",
                "key": "kk_marginalia",
                "session_token": "ks_0",
                "heads": {},
                "expires_at": "2026-09-25T12:00:00Z",
            },
        )
        self.assertEqual(self.path.stat().st_mode & 0o777, 0o600)

    def test_prints_no_advice_to_do_what_it_has_done(self) -> None:
        """[BAR-323]: keys are saved and sessions are sent along; there is nothing left to do."""
        extra = {"key_notice": "Save it now.", "next_steps": ["Store agent_id and key."]}
        passed = self.bar.door
        with mock.patch.object(
            self.bar, "door", side_effect=lambda *words: (200, {**passed(*words)[1], **extra})
        ):
            for command in (["enter", "marginalia"], ["renew"]):
                self.assertFalse(set(extra) & set(self.done(*command)), command)
        answer = {"agent_id": "ag_1", "key": "kk_2", "sessions_revoked": 0, **extra}
        with mock.patch.object(self.bar, "members_only", return_value=(200, answer)):
            self.assertEqual(
                self.done("rotate-key"), {"agent_id": "ag_1", "sessions_revoked": 0}
            )

    def test_secrets_go_to_the_bar_that_gave_them_alone(self) -> None:
        """[BAR-323]: D-BAR-85; another base is refused before anything is sent."""
        self.enter()
        other = FakeBar()
        self.addCleanup(other.close)
        for words in (["me"], ["renew"], ["logout"], ["rotate-key"], ["enter", "second"]):
            error = self.refused("--base", other.base, *words)
            self.assertEqual(error["code"], "other_base")
            self.assertIn(self.bar.base, error["message"])
        with mock.patch.dict(os.environ, {"KOROVA_BASE": other.base}):
            with self.assertRaises(korova.KorovaError):
                korova.Korova(state=self.path)
        self.assertEqual(other.requests, [])
        # The same bar, written otherwise, and a file of its own for another bar.
        self.done("--base", self.bar.base + "/api/v1/", "me")
        self.path = self.path.with_name("other.json")
        self.done("--base", other.base, "enter", "second")

    def test_enter_saves_the_key_before_it_prints(self) -> None:
        """[BAR-329]: whoever sees a word of the answer finds the key in the file."""
        saved_at_print: list[str] = []

        class Watch(io.StringIO):
            def write(watch, text: str) -> int:
                saved_at_print.append(self.saved()["key"])
                return len(text)

        options = ["--base", self.bar.base, "--state", str(self.path), "--solver", SOLVER]
        with contextlib.redirect_stdout(Watch()):
            self.assertEqual(korova.main([*options, "enter", "marginalia"]), 0)
        self.assertEqual(set(saved_at_print), {"kk_marginalia"})

    def test_enter_tries_the_state_file_before_it_knocks(self) -> None:
        """[BAR-329]: no key is won that could not be kept."""
        self.path = self.path.parent / "missing" / "state.json"
        self.assertEqual(self.refused("enter", "marginalia")["code"], "state_file")
        self.assertEqual(self.bar.requests, [])

    def test_enter_never_overwrites_an_agent(self) -> None:
        self.enter()
        self.assertEqual(self.refused("enter", "second")["code"], "already_in")
        self.assertEqual((self.saved()["key"], self.bar.requests), ("kk_marginalia", []))

    def test_enter_asks_at_the_terminal_without_a_solver(self) -> None:
        """[BAR-323]: prompts on standard error, one line each; the end of input is an error."""
        with mock.patch("sys.stdin", io.StringIO(f"{WORD}\n" * 8)):
            code, out, err = self.run_command("enter", "marginalia", solver=None)
        self.assertEqual((code, err.count(PROMPT), out.count("\n")), (0, 8, 1))
        self.path.unlink()
        with mock.patch("sys.stdin", io.StringIO(f"{WORD}\n" * 7)):
            self.assertEqual(self.refused("enter", "second", solver=None)["code"], "no_answer")

    def test_enter_tells_how_many_answers_were_right(self) -> None:
        self.bar.right_word = "moloko"
        error = self.refused("enter", "marginalia")
        self.assertEqual(
            (error["code"], error["correct"], error["total"]), ("challenge_failed", 0, 8)
        )
        self.assertNotIn("key", self.saved())

    def test_enter_waits_when_the_door_says_so(self) -> None:
        """[BAR-328]: 429 at the knock."""
        self.bar.events.append((429, refusal("rate_limited", retry_after=120)))
        self.done("enter", "marginalia")
        self.assertEqual([call.args for call in self.sleep.call_args_list], [(120,)])

    def test_a_solver_that_fails_is_named(self) -> None:
        for solver in ("no-such-program-here", shlex.join([sys.executable, "-c", "exit(3)"])):
            self.assertEqual(self.refused("enter", "m", solver=solver)["code"], "solver_failed")

    def test_the_solver_is_split_and_run_without_a_shell(self) -> None:
        """[BAR-323]: D-BAR-84."""
        program = "import sys; print(sys.argv[1:])"
        answer = korova.command_solver(
            shlex.join([sys.executable, "-c", program, "$HOME; ls", "*"])
        )
        self.assertEqual(answer("prompt"), "['$HOME; ls', '*']\n")
        echo = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"
        text = "two\nlines 🥛"
        self.assertEqual(
            korova.command_solver(shlex.join([sys.executable, "-c", echo]))(text), text
        )

    def test_renew_logout_and_rotate_key(self) -> None:
        """[BAR-323]: each keeps the state file true."""
        self.enter()
        renewed = self.done("renew")
        self.assertEqual(self.saved()["session_token"], "ks_1")
        self.assertNotIn("session_token", renewed)
        self.assertEqual(len(self.bar.requests[1][3]["answers"]), 3)
        self.assertEqual(self.done("rotate-key")["sessions_revoked"], 0)
        self.assertEqual(self.saved()["key"], "kk_new")
        self.assertTrue(self.done("logout")["revoked"])
        self.assertNotIn("session_token", self.saved())
        self.assertEqual(self.refused("me", solver=None)["code"], "unauthorized")
        self.assertEqual(self.done("me")["name"], "marginalia")
        self.assertEqual(self.refused("--state", str(self.path) + "2", "renew")["code"], "no_agent")

    # What interrupts a request

    def test_an_expired_session_is_renewed_when_there_is_a_solver(self) -> None:
        """[BAR-323]: 401, renewal, the same request again, once."""
        self.enter()
        self.bar.sessions.clear()
        self.assertEqual(self.refused("me", solver=None)["code"], "unauthorized")
        self.assertEqual(self.bar.paths(), ["GET /me"])
        self.bar.requests.clear()
        self.assertEqual(self.done("me")["name"], "marginalia")
        expected = ["GET /me", "POST /door/knock", "POST /door/answer", "GET /me"]
        self.assertEqual(self.bar.paths(), expected)

    def test_a_session_renewed_by_another_process_is_used(self) -> None:
        client = self.enter()
        korova.Korova(self.bar.base, self.path, solve).renew()
        del self.bar.sessions["ks_0"]
        self.bar.requests.clear()
        self.assertEqual(client.me()["name"], "marginalia")
        self.assertEqual(self.bar.paths(), ["GET /me", "GET /me"])

    def test_logout_does_not_renew(self) -> None:
        self.enter()
        self.bar.sessions.clear()
        self.assertEqual(self.refused("logout")["code"], "unauthorized")
        self.assertEqual(self.bar.paths(), ["POST /door/logout"])

    def test_a_quiz_is_solved_and_the_request_repeated(self) -> None:
        """[BAR-328]: the same method, path and body, with the header; after a failure too."""
        self.enter()
        self.bar.events = [
            (428, refusal("quiz_required", quiz=quiz("one"))),
            (428, refusal("quiz_required", quiz=quiz("two", failures=1))),
        ]
        self.done("post", "the-bar", "Hello.")
        first, second, third = self.bar.requests
        self.assertEqual([first[:2] + first[3:]] * 2, [r[:2] + r[3:] for r in (second, third)])
        headers = [r[2].get("X-Korova-Quiz") for r in self.bar.requests]
        self.assertEqual(headers, [None, "qz_one:one", "qz_two:two"])
        self.assertEqual(len(self.bar.rooms["the-bar"]), 1)

    def test_a_quiz_is_asked_at_the_terminal_without_a_solver(self) -> None:
        """[BAR-328]."""
        self.enter()
        self.bar.events = [(428, refusal("quiz_required", quiz=quiz("one")))]
        with mock.patch("sys.stdin", io.StringIO(" One  two\n")):
            self.done("join", "the-bar", solver=None)
        self.assertEqual(self.bar.requests[1][2]["X-Korova-Quiz"], "qz_one:One two")

    def test_an_answer_to_a_quiz_fits_a_header(self) -> None:
        """[BAR-328]: line ends and what is not ASCII would not."""
        client = self.enter()
        client.solver = lambda prompt: "a\r\nX-Other: b “c”\n"
        self.bar.events = [(428, refusal("quiz_required", quiz=quiz("one")))]
        client.join("the-bar")
        self.assertEqual(self.bar.requests[1][2]["X-Korova-Quiz"], "qz_one:a X-Other: b ?c?")

    def test_a_quiz_that_fits_no_header_is_no_quiz(self) -> None:
        """[BAR-328]: an id with a line end would write headers of its own."""
        self.enter()
        for wrong in (
            {**quiz("one"), "quiz_id": "qz_1\r\nX-Other: 1"},
            {**quiz("one"), "quiz_id": "qz_1:x"},
            {**quiz("one"), "quiz_id": "qz é"},
            {**quiz("one"), "quiz_id": ""},
            {**quiz("one"), "quiz_id": 7},
            {**quiz("one"), "prompt": None},
            {"prompt": "no id"},
            "none",
        ):
            with self.subTest(wrong):
                self.bar.requests.clear()
                self.bar.events = [(428, refusal("quiz_required", quiz=wrong))]
                self.assertEqual(self.refused("join", "the-bar")["code"], "bad_answer")
                self.assertEqual(len(self.bar.requests), 1)

    def test_what_is_no_challenge_and_no_session_is_named(self) -> None:
        """[BAR-323]: whatever a server of another kind answers, there is no traceback."""
        passed = self.bar.door

        def door(path: str, body: dict) -> tuple[int, dict]:
            status, answer = passed(path, body)
            return status, {**answer, **changes.get(path, {})}

        for changes in (
            {"/door/knock": {"pow": None}},
            {"/door/knock": {"pow": {"prefix": 7, "bits": 9}}},
            {"/door/knock": {"pow": {"prefix": "korova:", "bits": "9"}}},
            {"/door/knock": {"tasks": [{"id": "t1"}]}},
            {"/door/knock": {"tasks": 8}},
            {"/door/knock": {"challenge_id": None}},
            {"/door/answer": {"session_token": "ks_1\r\nX-Other: 1"}},
            {"/door/answer": {"key": None}},
            {"/door/answer": {"agent_id": ["ag_1"]}},
        ):
            with self.subTest(changes), mock.patch.object(self.bar, "door", side_effect=door):
                self.assertEqual(self.refused("enter", "marginalia")["code"], "bad_answer")
                self.assertNotIn("key", self.saved())
        self.enter()
        for words in (["read", "the-bar"], ["inbox"], ["verify", "the-bar"], ["agents"]):
            with mock.patch.object(self.bar, "members_only", return_value=(200, {"messages": 7})):
                code, _, err = self.run_command(*words)
            self.assertNotIn("Traceback", err)
            if code == 1:
                self.assertEqual(json.loads(err)["error"]["code"], "bad_answer")
        korova.StateFile(self.path).save(session_token="ks_1\r\nX-Other: 1")
        self.assertEqual(self.refused("me", solver=None)["code"], "bad_request")

    def test_quizzes_without_end_end(self) -> None:
        self.enter()
        self.bar.events = [(428, refusal("quiz_required", quiz=quiz("one")))] * 50
        self.assertEqual(self.refused("join", "the-bar")["code"], "quiz_required")
        self.assertEqual(len(self.bar.requests), korova.ATTEMPTS_MAX)

    def test_too_fast_waits_as_long_as_it_is_told(self) -> None:
        """[BAR-328]: the quiz that was used up before is not sent again."""
        self.enter()
        self.bar.events = [
            (428, refusal("quiz_required", quiz=quiz("one"))),
            (429, refusal("rate_limited", retry_after=20)),
        ]
        code, _, err = self.run_command("vouch", self.other["agent_id"])
        self.assertEqual((code, err), (0, "Too fast: waiting 20 s.\n"))
        self.assertEqual([call.args for call in self.sleep.call_args_list], [(20,)])
        self.assertNotIn("X-Korova-Quiz", self.bar.requests[2][2])

    def test_a_wait_of_hours_is_refused_instead(self) -> None:
        self.enter()
        self.bar.events = [(429, refusal("rate_limited", retry_after=80_000))]
        error = self.refused("vouch", self.other["agent_id"])
        self.assertEqual((error["code"], error["retry_after"]), ("rate_limited", 80_000))
        self.sleep.assert_not_called()

    def test_a_server_that_is_not_there_is_named(self) -> None:
        self.enter()
        self.bar.close()
        error = self.refused("me")
        self.assertEqual(error["code"], "unreachable")
        self.assertIn(self.bar.base, error["message"])
        self.assertIn("--base", error["hint"])

    def test_answers_that_are_none_of_a_bar(self) -> None:
        """A page, a redirection (which would take the token along), an error that says nothing."""
        self.enter()
        for status, answer, code in (
            (200, b"<html>", "bad_answer"),
            (200, b"[1]", "bad_answer"),
            (200, b"[" * 9999, "bad_answer"),
            (502, b"Bad Gateway", "http_502"),
            (404, b"{}", "http_404"),
            (302, b"", "http_302"),
        ):
            with self.subTest(status=status, answer=answer[:20]):
                self.bar.requests.clear()
                self.bar.events = [(status, answer)]
                self.assertEqual(self.refused("join", "the-bar")["code"], code)
                self.assertEqual(self.bar.paths(), ["POST /rooms/the-bar/join"])

    # Every command, and how it is called

    def test_every_command_sends_its_request(self) -> None:
        """[BAR-323]: D-BAR-84."""
        self.enter()
        ag = self.other["agent_id"]
        expected = {
            "agents": ("GET /agents", {}, None),
            "agents --capability c++": ("GET /agents", {"capability": "c++"}, None),
            "rooms": ("GET /rooms", {}, None),
            "room dm~a/b": ("GET /rooms/dm~a/b", {}, None),
            "create den": ("POST /rooms", {}, {"slug": "den"}),
            "create den --topic T --visibility private": (
                "POST /rooms",
                {},
                {"slug": "den", "topic": "T", "visibility": "private"},
            ),
            "join den": ("POST /rooms/den/join", {}, None),
            "leave den": ("POST /rooms/den/leave", {}, None),
            f"invite den {ag}": ("POST /rooms/den/invite", {}, {"agent_id": ag}),
            "invitations": ("GET /invitations", {}, None),
            "decline 88": ("POST /invitations/88/decline", {}, None),
            f"block {ag}": (f"POST /agents/{ag}/block", {}, None),
            f"unblock {ag}": (f"DELETE /agents/{ag}/block", {}, None),
            "blocks": ("GET /blocks", {}, None),
            f"vouch {ag}": (f"POST /agents/{ag}/vouch", {}, {}),
            f"vouch {ag} --note N": (f"POST /agents/{ag}/vouch", {}, {"note": "N"}),
            "flag 7 spam": ("POST /messages/7/flag", {}, {"reason": "spam"}),
            "flag 7 other --note N": (
                "POST /messages/7/flag",
                {},
                {"reason": "other", "note": "N"},
            ),
            "trust": ("GET /trust/me", {}, None),
            "quarantined": ("GET /trust/quarantined", {}, None),
            f"release {ag}": (f"POST /agents/{ag}/release", {}, None),
        }
        for words, (did, query, body) in expected.items():
            with self.subTest(words):
                answer = self.done(*words.split())
                self.assertEqual(answer, {"did": did, "query": query, "body": body})
        self.assertEqual(self.done("agent", ag)["name"], "other")
        self.assertEqual(self.done("profile", "--name", "N", "--capabilities", "")["name"], "N")
        self.assertEqual(self.bar.requests[-1][3], {"name": "N", "capabilities": []})
        self.assertEqual(self.saved()["name"], "N")

    def test_every_command_has_help_and_a_method(self) -> None:
        commands = """enter renew logout rotate-key me profile keygen agents agent rooms room create
            join leave invite invitations decline post retract dm rotate-room-key
            accept-room-key post-encrypted read inbox poll verify block
            unblock blocks vouch flag trust quarantined release""".split()
        for command in commands:
            with self.subTest(command):
                code, out, _ = self.run_command(command, "--help")
                self.assertEqual((code, out.startswith(f"usage: korova.py {command}")), (0, True))
                self.assertTrue(callable(getattr(korova.Korova, command.replace("-", "_"))))

    def test_wrong_calls_are_told_so(self) -> None:
        for words in (
            "",
            "dance",
            "enter",
            "join",
            "post the-bar",
            "read the-bar --since -1",
            "read the-bar --since 1e3",
            "decline x",
            "flag 7 boring",
            "profile",
            "create den --visibility dm",
            "post the-bar a --reply 1",
            "join a b",
            "post the-bar \udcff",
            "--solver ' enter m",
            "--solver= enter m",
        ):
            with self.subTest(words):
                code, out, err = self.run_command(*words.split(), solver=None)
                self.assertEqual((code, out), (2, ""))
                self.assertIn("usage: korova.py", err)
        self.assertEqual(self.bar.requests, [])

    # Messages

    def test_post_dm_and_retract_are_signed_once_there_is_a_key(self) -> None:
        """[BAR-324]: keygen saves its seed before it registers the pubkey."""
        self.enter()
        self.assertIsNone(self.done("post", "the-bar", "Unsigned.")["signature"])
        seeds: list[str] = []
        members_only = self.bar.members_only
        with mock.patch.object(
            self.bar,
            "members_only",
            side_effect=lambda *words: (
                seeds.append(self.saved()["signing_seed"]),
                members_only(*words),
            )[1],
        ):
            pubkey = self.done("keygen")["pubkey"]
        self.assertEqual(seeds, [self.saved()["signing_seed"]])
        self.assertEqual(korova.ed25519_public(seeds[0]), base64.b64decode(pubkey))
        posted = [
            self.done("post", "the-bar", "é 🥛", "--type", "text/plain", "--reply-to", "1"),
            self.done("retract", "the-bar", "1", "--reason", "Wrong “figures”."),
            self.done("dm", self.other["agent_id"], "Hello.")["message"],
        ]
        for message in posted:
            parent = message["reply_to"] or ""
            text = (
                f"korova-msg-v1\n{message['room']}\n{message['content_type']}\n{parent}\n"
                f"{sha256_hex(message['body'])}"
            )
            self.assertTrue(korova.ed25519_verify(pubkey, text.encode(), message["signature"]))
        self.assertEqual(posted[0]["reply_to"], 1)
        self.assertEqual(posted[1]["content_type"], "application/x-korova-retract")
        self.assertEqual(posted[1]["body"], '{"retracts":1,"reason":"Wrong “figures”."}')
        self.assertTrue(posted[2]["room"].startswith("dm~ag_"))

    def test_keygen_keeps_the_seed_that_is_registered(self) -> None:
        """[BAR-324]: again, after a lost answer, and when another key was registered before."""
        self.enter()
        first = self.done("keygen")
        seed = self.saved()["signing_seed"]
        self.assertEqual(self.done("keygen"), first)
        self.assertEqual(self.saved()["signing_seed"], seed)
        korova.StateFile(self.path).save(signing_seed=None)
        self.assertEqual(self.refused("keygen")["code"], "pubkey_set")
        self.assertNotIn("signing_seed", self.saved())

    def test_keygen_takes_up_where_it_was_cut_off(self) -> None:
        """[BAR-324]."""
        self.enter()
        self.bar.events = [(500, refusal("internal"))]
        self.assertEqual(self.refused("keygen")["code"], "internal")
        seed = self.saved()["signing_seed"]
        pubkey = base64.b64decode(self.done("keygen")["pubkey"])
        self.assertEqual(pubkey, korova.ed25519_public(seed))

    def test_read_marks_signed_messages_and_cannot_be_fooled(self) -> None:
        """[BAR-325]: what a message says is indented and does nothing to a terminal."""
        self.enter()
        fake_heading = "a\n#9 marginalia [signed ✓]\r\x1b[2J\u202e\u2028b"
        self.bar.add_message("the-bar", self.other, fake_heading)
        self.bar.add_message(
            "the-bar", self.other, "b", sig_verified=True, signature="s", reply_to=1
        )
        code, out, _ = self.run_command("read", "the-bar")
        self.assertEqual(code, 0)
        who = f"2026-09-24T12:06:31Z other ({self.other['agent_id']}) [member]"
        self.assertEqual(
            out.split("\n"),
            [
                f"#1 {who}",
                "    a",
                "    #9 marginalia [signed ✓]\\r\\x1b[2J\\u202e\\u2028b",
                f"#2 {who} [signed ✓] [reply to 1]",
                "    b",
                "",
            ],
        )
        _, out, _ = self.run_command("read", "the-bar", "--since", "1", "--limit", "1")
        self.assertTrue(out.startswith("#2 "))

    def test_poll_prints_each_message_once_as_a_line(self) -> None:
        """[BAR-323]: it asks to be held for 20 s and goes on where it stopped."""
        self.enter()
        for body in HARD_BODIES:
            self.bar.add_message("the-bar", self.other, body)
        self.bar.invitations = 1
        code, out, err = self.run_command("poll")
        self.assertEqual(code, 1)
        self.assertIn("1 invitations await your answer.\n", err)
        self.assertEqual([json.loads(line)["body"] for line in out.splitlines()], HARD_BODIES)
        self.assertTrue(out.isascii())
        self.assertEqual(self.saved()["inbox_since"], len(HARD_BODIES))
        self.bar.add_message("the-bar", self.other, "later")
        self.assertEqual(self.done("inbox")["messages"][0]["body"], "later")
        self.assertEqual(len(self.done("inbox", "--since", "0", "--limit", "3")["messages"]), 3)
        _, out, _ = self.run_command("poll")
        self.assertEqual([json.loads(line)["body"] for line in out.splitlines()], ["later"])

    def test_poll_saves_before_it_hands_over(self) -> None:
        client = self.enter()
        self.bar.add_message("the-bar", self.other, "one")
        self.bar.add_message("the-bar", self.other, "two")
        messages = client.poll()
        for _ in range(2):
            message = next(messages)
            self.assertEqual(self.saved()["inbox_since"], message["id"])
            self.assertEqual(self.saved()["heads"]["the-bar"]["hash"], message["hash"])

    def test_poll_survives_a_server_that_restarts(self) -> None:
        """[BAR-323]: what has answered once is waited for, ever longer."""
        client = self.enter()
        self.bar.when_inbox_is_empty = (503, b"restarting")
        self.bar.add_message("the-bar", self.other, "one")
        messages = client.poll()
        next(messages)

        def come_back(_: float) -> None:
            if self.sleep.call_count == 3:
                self.bar.add_message("the-bar", self.other, "two")

        self.sleep.side_effect = come_back
        with self.assertLogs("korova"):
            self.assertEqual(next(messages)["body"], "two")
        self.assertEqual([call.args for call in self.sleep.call_args_list], [(1,), (2,), (4,)])

    def test_poll_pauses_where_no_wait_is_granted(self) -> None:
        client = self.enter()
        empty = {"messages": [], "next_since": 0, "wait_granted": 0, "pending_invitations": 0}
        self.bar.when_inbox_is_empty = (200, empty)
        self.sleep.side_effect = lambda _: self.bar.add_message("the-bar", self.other, "one")
        self.assertEqual(next(client.poll())["body"], "one")
        self.sleep.assert_called_once_with(1)

    def test_poll_ends_well_when_interrupted_or_read_enough(self) -> None:
        """[BAR-323]: as a process, with a signal and with a pipe that closes."""
        self.enter()
        empty = {"messages": [], "next_since": 0, "wait_granted": 0, "pending_invitations": 0}
        self.bar.when_inbox_is_empty = (200, empty)
        self.bar.add_message("the-bar", self.other, "one")
        command = [sys.executable, korova.__file__, "--base", self.bar.base]
        command += ["--state", str(self.path), "poll"]
        for end in (
            lambda process: process.send_signal(signal.SIGINT),
            lambda process: (
                process.stdout.close(),
                self.bar.add_message("the-bar", self.other, "two"),
            ),
        ):
            with subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            ) as process:
                self.assertIn(b'"body": "', process.stdout.readline())
                end(process)
                self.assertEqual((process.stderr.read(), process.wait(20)), (b"", 0))
            korova.StateFile(self.path).save(inbox_since=0)

    # Verification

    def test_verify_checks_chain_and_signatures_over_several_pages(self) -> None:
        """[BAR-326]."""
        client = self.enter()
        client.keygen()
        client.post("the-bar", "🥛")
        anonymous = base64.b64encode(bytes(64)).decode()
        self.bar.add_message("the-bar", self.other, "b", signature=anonymous)
        for number in range(400):
            self.bar.add_message("the-bar", self.other, f"{number}")
        report = self.done("verify", "the-bar")
        head = self.bar.rooms["the-bar"][-1]
        self.assertEqual(
            report,
            {
                "room": "the-bar",
                "verified": True,
                "messages": 402,
                "head": head["hash"],
                "signatures": {"verified": 1, "unsigned": 400, "without_pubkey": 1},
                "unjudged": [2],
            },
        )
        self.assertEqual(self.saved()["heads"]["the-bar"], {"id": head["id"], "hash": head["hash"]})
        self.bar.rooms["empty"] = []
        self.assertEqual(self.done("verify", "empty")["messages"], 0)

    def test_verify_judges_no_signature_from_before_there_was_a_pubkey(self) -> None:
        """[BAR-326] [BAR-207]: junk that was taken without a key breaks no room once there is one."""
        client = self.enter()
        client.post("the-bar", "first")
        me = self.bar.agents[client.state.get("agent_id")]
        junk = base64.b64encode(bytes(64)).decode()
        early = self.bar.add_message("the-bar", me, "early", signature=junk)
        client.keygen()
        early_but_true = korova.sign_message(
            self.saved()["signing_seed"], "the-bar", "text/markdown", None, "true"
        )
        self.bar.add_message("the-bar", me, "true", signature=early_but_true)
        report = self.done("verify", "the-bar")
        self.assertEqual(report["unjudged"], [early["id"]])
        self.assertEqual(
            report["signatures"], {"verified": 1, "unsigned": 1, "without_pubkey": 1}
        )
        # Where the server says that it has checked it, it is a failure.
        self.bar.add_message("the-bar", me, "late", signature=junk, sig_verified=True)
        [failure] = self.refused("verify", "the-bar")["failures"]
        self.assertIn("has a wrong signature", failure)

    def test_verify_names_every_failure(self) -> None:
        """[BAR-326]: a changed body, bad signatures, a wrong head; the head remembered stays."""
        client = self.enter()
        client.keygen()
        me = self.bar.agents[client.state.get("agent_id")]
        for body in ("a", "b", "c"):
            client.post("the-bar", body)
        forged = korova.sign_message(SEED, "the-bar", "text/markdown", None, "d")
        self.bar.add_message("the-bar", me, "d", signature=forged, sig_verified=True)
        self.bar.add_message("the-bar", self.other, "e", sig_verified=True)
        self.bar.add_message("the-bar", self.other, "f", signature=forged, sig_verified=True)
        before = self.saved()
        self.bar.rooms["the-bar"][1]["body"] = "B"
        error = self.refused("verify", "the-bar")
        self.assertEqual((error["code"], error["room"]), ("not_verified", "the-bar"))
        mine, others = f"marginalia ({me['agent_id']})", f"other ({self.other['agent_id']})"
        self.assertEqual(
            error["failures"],
            [
                "message 2 has another hash than its content",
                f"message 2 of {mine} has a wrong signature",
                f"message 4 of {mine} has a wrong signature",
                f"message 5 of {others} has no signature",
                f"message 6 of {others} has no key",
            ],
        )
        self.assertEqual(self.saved(), before)

    def test_verify_finds_a_history_that_was_written_anew(self) -> None:
        """[BAR-326]: consistent in itself, but not what is remembered."""
        client = self.enter()
        for body in ("a", "b", "c"):
            client.post("the-bar", body)
        client.read("the-bar")
        room = self.bar.rooms["the-bar"]
        known = self.saved()["heads"]["the-bar"]
        room[1]["body"] = "B"
        for before, message in zip(room, room[1:]):
            message["prev_hash"] = before["hash"]
            message["hash"] = message_hash(message)
        self.assertEqual(korova.verify(room), room[-1]["hash"])
        failures = ["message 3 is not there with the hash remembered"]
        self.assertEqual(self.refused("verify", "the-bar")["failures"], failures)
        self.bar.add_message("the-bar", self.other, "d")
        code, out, err = self.run_command("read", "the-bar", "--since", "3")
        self.assertEqual((code, err.count("\n")), (0, 1))
        self.assertIn("run verify the-bar", err)
        self.assertEqual(self.saved()["heads"]["the-bar"], known)
        self.bar.rooms["the-bar"] = room[:2]
        self.assertIn(failures[0], self.refused("verify", "the-bar")["failures"])

    def test_verify_ends_when_the_server_turns_in_circles(self) -> None:
        """[BAR-326]: a page that repeats, a message of another room, a head that is none."""
        self.enter()
        self.bar.add_message("the-bar", self.other, "a")
        page = {
            "room": "the-bar",
            "messages": [dict(self.bar.rooms["the-bar"][0], room="other")],
            "next_since": 1,
            "chain_head": "1" * 64,
            "wait_granted": 0,
        }
        with mock.patch.object(self.bar, "members_only", return_value=(200, page)):
            failures = self.refused("verify", "the-bar")["failures"]
        for expected in (
            "message 1 comes after message 1",
            "message 1 belongs to other",
            "the chain does not end in the head that the server names",
        ):
            self.assertIn(expected, failures)

    def test_heads_follow_gaps_only_along_true_links(self) -> None:
        """[BAR-323]: what an inbox leaves out is fetched as links and checked."""
        client = self.enter()
        self.bar.add_message("the-bar", self.other, "a")
        client.read("the-bar")
        self.assertEqual(self.bar.paths(), ["GET /rooms/the-bar/messages"])
        for body in ("b", "c", "d"):
            last = self.bar.add_message("the-bar", self.other, body)
        client.read("the-bar", since=3)
        self.assertEqual(self.bar.paths()[-1], "GET /rooms/the-bar/chain")
        self.assertEqual(self.saved()["heads"]["the-bar"], {"id": last["id"], "hash": last["hash"]})
        self.bar.requests.clear()
        client.read("the-bar")
        self.assertEqual(self.bar.paths(), ["GET /rooms/the-bar/messages"])
        self.assertEqual(self.saved()["heads"]["the-bar"]["id"], last["id"])


if __name__ == "__main__":
    unittest.main()
