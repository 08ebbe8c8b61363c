import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodePublicKey, decodeSignature, verifySignature } from '@stoa/proof';
import { replyText, reviewText, type SignedReview, withdrawalText } from '@stoa/proof/karma';
import { makeAgent, type TestAgent } from '../../support/agents.ts';
import { type Answer, assertAnswered } from '../../support/answers.ts';
import { forEachEngine, forOneEngine } from '../../support/engines.ts';
import { openTestHouse } from '../../support/open-house.ts';
import {
  assertDetail,
  assertInvalid,
  behind_proxy,
  fromAddress,
  registryOf,
  reviewBody,
} from './registry.ts';

const alice = makeAgent('alice');
const mallory = makeAgent('mallory');
const subject = makeAgent('subject');

/** A review by `reviewer_id`, signed by an agent's key, as its body and the text that was signed. */
function signedReview(agent: TestAgent, more: Partial<SignedReview> = {}) {
  const review: SignedReview = {
    reviewer_id: 'alice',
    subject_id: 'b',
    rating: 5,
    outcome: 'succeeded',
    task_summary: '',
    evidence: null,
    evidence_url: null,
    ...more,
  };
  const text = reviewText(review);
  return { ...review, public_key: agent.public_key, signature: agent.sign(text) };
}

const idOf = ({ body, text }: Answer) => {
  const { review_id } = body as { review_id?: number };
  assert.ok(review_id !== undefined, text);
  return review_id;
};

forEachEngine((engine) => {
  test('of two first keys for one id at once one gets it [KARMA-139]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const answers = await Promise.all(
      [alice, mallory].map((agent) => registry.post(signedReview(agent))),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 403]);
  });

  test('a signature is taken once, so that nobody sends a review again [KARMA-140]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const body = signedReview(alice);
    const answers = await Promise.all([1, 2, 3].map(() => registry.post(body)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 403, 403]);
    assertDetail(await registry.post(body), 403, /signature stands under another review/);
    assert.equal((await registry.reputation('b')).review_count, 1);
    assert.equal((await registry.post(signedReview(alice, { task_summary: 'again' }))).status, 201);
  });

  test('the subject answers a review once, by its key [KARMA-142]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const id = await registry.review('a', 'subject', 1);
    const reply = (agent: TestAgent, text: string, review_id = id, of = 'subject') => ({
      text,
      signature: agent.sign(replyText({ review_id, subject_id: of, text })),
    });
    const post = (body: object, path = `/reviews/${id}/reply`) => registry.send('POST', path, body);
    const good = reply(subject, '<b>We\n did "it".</b> 🌍');
    assertDetail(await post(good), 403, /it has no key/);
    const own = signedReview(subject, { reviewer_id: 'subject' });
    assert.equal((await registry.post(own)).status, 201);
    assertDetail(await post(reply(mallory, 'Lies.')), 403, 'the signature does not verify');
    assertDetail(await post({ ...good, text: 'other' }), 403, 'the signature does not verify');
    assertInvalid(await post({ ...good, text: '' }), [['body', 'text']]);
    assertInvalid(await post({ ...good, text: 'x'.repeat(2_001) }), [['body', 'text']]);
    assertInvalid(await post({}), [
      ['body', 'text'],
      ['body', 'signature'],
    ]);
    for (const unknown of ['99', 'abc']) {
      const wanted = { error: `unknown review id: ${unknown}`, see: '/skill.md' };
      assertAnswered(await post(good, `/reviews/${unknown}/reply`), 404, wanted);
    }
    const before = await registry.reputation('subject');
    const answers = await Promise.all([post(good), post(reply(subject, 'Another.'))]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
    const shown = (await registry.get(`/reviews/${id}`)).body as { reply: Record<string, string> };
    assert.deepEqual(Object.keys(shown.reply), ['text', 'signature', 'created_at']);
    const accepted = answers.find(({ status }) => status === 201);
    assert.deepEqual(accepted?.body, shown);
    assertDetail(await post(reply(subject, 'Third.')), 409, /has answered/);
    assert.deepEqual(await registry.reputation('subject'), before);
  });

  test('who signed a review may withdraw it: it stays readable and counts no longer [KARMA-143]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    // b reviewed c, so that the weight of b is in the score of c.
    await registry.review('b', 'c', 5);
    await registry.review('other', 'c', 1);
    await registry.review('other', 'b', 4);
    const ids = ['b', 'c', 'other'];
    const numbers = () => Promise.all(ids.map((id) => registry.get(`/agents/${id}/reputation`)));
    const before = (await numbers()).map(({ body }) => body);
    const posted = signedReview(alice, { rating: 1, evidence: 'the receipt' });
    const id = idOf(await registry.post(posted));
    assert.notDeepEqual(
      (await numbers()).map(({ body }) => body),
      before,
    );

    const path = `/reviews/${id}/withdraw`;
    const good = { signature: alice.sign(withdrawalText(posted.signature)) };
    const post = (body: object, to = path) => registry.send('POST', to, body);
    const wrong = { signature: mallory.sign(withdrawalText(posted.signature)) };
    assertDetail(await post(wrong), 403, 'the signature does not verify');
    assertDetail(await post({ signature: posted.signature }), 403, 'the signature does not verify');
    assertDetail(await post(good, '/reviews/1/withdraw'), 403, /it has no key/);
    assertInvalid(await post({}), [['body', 'signature']]);
    assert.equal((await post(good, '/reviews/99/withdraw')).status, 404);

    const answers = await Promise.all([post(good), post(good)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    assert.deepEqual(
      (await numbers()).map(({ body }) => body),
      before,
    );
    const shown = (await registry.get(`/reviews/${id}`)).body as Record<string, unknown>;
    assert.equal(shown.evidence, 'the receipt');
    assert.match(String(shown.withdrawn_at), /^2026-09-07T12:00:00Z$/);
    const [listed] = (await registry.get('/agents/b/reviews')).body as object[];
    assert.deepEqual(listed, shown);
    // The id keeps its key, and the signature stays used.
    assert.equal((await registry.post(reviewBody({ reviewer_id: 'alice' }))).status, 403);
    assert.equal((await registry.post(posted)).status, 403);
    assert.equal((await registry.get('/agents/alice/reputation')).status, 200);
  });
});

forOneEngine((engine) => {
  test('a signed review says so, and can be verified from what is shown of it [KARMA-138]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const body = signedReview(alice, {
      task_summary: 'café "🌍"',
      evidence: 'line\r\n',
      evidence_url: 'https://e.example/',
    });
    const id = idOf(await registry.post(body));
    const shown = (await registry.get(`/reviews/${id}`)).body as SignedReview & {
      signed: boolean;
      public_key: string;
      signature: string;
    };
    assert.equal(shown.signed, true);
    const { key } = decodePublicKey(shown.public_key) as { key: Uint8Array };
    const signature = decodeSignature(shown.signature) ?? assert.fail();
    assert.ok(verifySignature({ key, message: reviewText(shown), signature }));
    const [listed] = (await registry.get('/agents/b/reviews')).body as object[];
    assert.deepEqual(listed, shown);
    // Others stay as they are.
    const plain = await registry.review('nobody', 'b');
    assert.equal(
      Object.hasOwn((await registry.get(`/reviews/${plain}`)).body as object, 'signed'),
      false,
    );
  });

  test('an id that was used with a key takes no review without its signature, and refusals leave nothing [KARMA-139]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    // Before it has a key anybody may use it.
    await registry.review('alice', 'b', 3);
    assert.equal((await registry.post(signedReview(alice))).status, 201);
    const count = async () => (await registry.reputation('b')).review_count;
    const forged = signedReview(mallory, { rating: 1 });
    for (const [body, detail] of [
      [reviewBody({ reviewer_id: 'alice', rating: 1 }), 'this id has a key: sign with it'],
      [forged, 'this id has a key: sign with it'],
      [{ ...forged, public_key: alice.public_key }, 'the signature does not verify'],
      [{ ...signedReview(alice), rating: 1 }, 'the signature does not verify'],
      [{ ...signedReview(alice), evidence: 'added' }, 'the signature does not verify'],
      [{ ...signedReview(alice), subject_id: 'c' }, 'the signature does not verify'],
    ] as const) {
      assertDetail(await registry.post(body), 403, detail);
    }
    assert.equal(await count(), 2);
    assert.equal((await registry.get('/agents/c/reputation')).status, 404);
    // They cost the client nothing: 28 of its 30 are left.
    for (let left = 0; left < 28; left += 1) {
      const body = signedReview(alice, { task_summary: `${left}` });
      assert.equal((await registry.post(body)).status, 201);
    }
    assert.equal((await registry.post(reviewBody())).status, 429);
    assertDetail(await registry.post(forged), 403, 'this id has a key: sign with it');
  });

  test('a key or signature of another form, or one without the other, is refused with its place [KARMA-141]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const body = signedReview(alice);
    for (const [more, field] of [
      [{ public_key: undefined }, 'public_key'],
      [{ public_key: null }, 'public_key'],
      [{ signature: undefined }, 'signature'],
      [{ signature: null }, 'signature'],
      [{ public_key: 'AAAA' }, 'public_key'],
      [{ public_key: 7 }, 'public_key'],
      // A point of small order, under which anybody can sign.
      [{ public_key: `AQ${'A'.repeat(41)}=` }, 'public_key'],
      [{ signature: 'AAAA' }, 'signature'],
      [{ signature: body.signature.replace(/=+$/, '') }, 'signature'],
    ] as const) {
      assertInvalid(await registry.post({ ...body, ...more }), [['body', field]], field);
    }
    assert.equal((await registry.get('/agents/b/reputation')).status, 404);
    const nulls = { public_key: null, signature: null };
    assert.equal((await registry.post(reviewBody(nulls))).status, 201);
  });

  test('a client replies and withdraws thirty times in ten minutes [KARMA-144]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'], config: behind_proxy });
    const registry = registryOf(house);
    const withdraw = async (index: number, address: number) => {
      const body = signedReview(alice, { task_summary: `review ${index}` });
      const id = idOf(await registry.post(body, fromAddress(1_000 + index)));
      const signature = alice.sign(withdrawalText(body.signature));
      return registry.send('POST', `/reviews/${id}/withdraw`, { signature }, fromAddress(address));
    };
    for (let index = 0; index < 30; index += 1) {
      assert.equal((await withdraw(index, 1)).status, 200);
    }
    const refused = await withdraw(30, 1);
    assertDetail(refused, 429, /at most 30 replies and withdrawals per 10 minutes/);
    assert.equal(refused.headers.get('retry-after'), '601');
    assert.equal((await withdraw(31, 2)).status, 200);
    house.clock.advance(601_000);
    assert.equal((await withdraw(32, 1)).status, 200);
  });
});
