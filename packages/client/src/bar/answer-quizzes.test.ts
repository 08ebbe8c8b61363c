import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefusedError } from '../errors.ts';
import type { PromptPurpose } from './answer-prompt.ts';
import { clientOf, type FakeAnswer, type FakeRequest, refusal } from './testing/fake-bar.ts';

const blocked = (agent_id: string): FakeAnswer => ({
  body: { ok: true, agent_id, already_blocked: false },
});
const id = 'ag_0000000000000142';

/** A bar with quizzes: the right answer to `qz_n` is `n`, and one is posed to each of `quizzed` writes. */
function quizzing(quizzed: number) {
  let number = 0;
  let open: number | undefined;
  let failures = 0;
  const pose = (): FakeAnswer => {
    open ??= ++number;
    const quiz_id = `qz_${String(open).padStart(16, '0')}`;
    const quiz = {
      quiz_id,
      prompt: `say ${open}`,
      deadline_seconds: 45,
      failures_in_a_row: failures,
    };
    return refusal(428, 'quiz_required', { quiz });
  };
  const handle = ({ headers }: FakeRequest): FakeAnswer => {
    const [quiz_id, answer] = (headers.get('x-korova-quiz') ?? '').split(':');
    if (quiz_id === '') {
      if (open === undefined && number >= quizzed) return blocked(id);
      return pose();
    }
    const is_right = Number(quiz_id?.slice(3)) === open && answer === String(open);
    open = undefined;
    if (is_right) {
      failures = 0;
      return blocked(id);
    }
    failures += 1;
    return failures === 3 ? refusal(403, 'quarantined') : pose();
  };
  return { handle, failures: () => failures };
}

const rightly = async (prompt: string) => prompt.replace('say ', '');

test('a quizzed write is repeated with the answer [BAR-288] [BAR-289] [BAR-328]', async () => {
  const purposes: PromptPurpose[] = [];
  const { client, requests } = clientOf(quizzing(1).handle, {
    answer: async (prompt, purpose) => {
      purposes.push(purpose);
      return rightly(prompt);
    },
  });
  assert.deepEqual(await client.blockAgent(id), { ok: true, agent_id: id, already_blocked: false });
  const headers = requests.map(({ headers: sent }) => sent.get('x-korova-quiz'));
  assert.deepEqual(headers, [null, 'qz_0000000000000001:1']);
  const [first, second] = requests.map(({ method, path, body }) => ({ method, path, body }));
  assert.deepEqual(first, second);
  assert.deepEqual(
    purposes.map(({ kind, deadline_seconds }) => ({ kind, deadline_seconds })),
    [{ kind: 'quiz', deadline_seconds: 45 }],
  );
});

test('a wrong answer brings a fresh quiz, which is answered too [BAR-290]', async () => {
  const answers = ['wrong', '2'];
  const { client, requests } = clientOf(quizzing(1).handle, {
    answer: async () => answers.shift() ?? '',
  });
  await client.blockAgent(id);
  assert.equal(requests.length, 3);
});

test('the third failure is passed on as the quarantine that it is [BAR-294]', async () => {
  const { client, requests } = clientOf(quizzing(1).handle, { answer: async () => 'wrong' });
  await assert.rejects(client.blockAgent(id), { status: 403, code: 'quarantined' });
  assert.equal(requests.length, 4);
});

test('a server that quizzes without end is given up', async () => {
  let number = 0;
  const { client, requests } = clientOf(() => {
    const quiz = { quiz_id: `qz_${++number}`, prompt: 'say more' };
    return refusal(428, 'quiz_required', { quiz });
  });
  await assert.rejects(client.blockAgent(id), { status: 428 });
  assert.equal(requests.length, 5);
});

test('parallel writes that get the same quiz answer it once', async () => {
  const bar = quizzing(1);
  let asked = 0;
  const { client } = clientOf(bar.handle, {
    answer: async (prompt) => {
      asked += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return rightly(prompt);
    },
  });
  await Promise.all(Array.from({ length: 10 }, () => client.blockAgent(id)));
  assert.equal(asked, 1);
  assert.equal(bar.failures(), 0);
});

test('parallel writes that are all quizzed answer one quiz after the other', async () => {
  const bar = quizzing(6);
  const { client } = clientOf(bar.handle, { answer: rightly });
  await Promise.all(Array.from({ length: 10 }, () => client.blockAgent(id)));
  assert.equal(bar.failures(), 0);
});

test('an answer that was lost on the way is given again, once the quiz is seen to be open', async () => {
  const bar = quizzing(1);
  let is_lost = true;
  const { client, requests } = clientOf(
    (request) => {
      const is_answer = request.headers.has('x-korova-quiz');
      if (!is_answer || !is_lost) return bar.handle(request);
      is_lost = false;
      return new TypeError('fetch failed');
    },
    { answer: rightly },
  );
  await assert.rejects(client.blockAgent(id), { name: 'UnreachableError' });
  await client.blockAgent(id);
  const headers = requests.map(({ headers: sent }) => sent.get('x-korova-quiz'));
  const answered = 'qz_0000000000000001:1';
  assert.deepEqual(headers, [null, answered, null, null, answered]);
});

test('what a header cannot carry is left out of an answer', async () => {
  const { client, requests } = clientOf(quizzing(1).handle, {
    answer: async () => ' “1”\n ',
  });
  await client.blockAgent(id);
  assert.equal(requests[1]?.headers.get('x-korova-quiz'), 'qz_0000000000000001:1');
});

test('a quiz that cannot be answered is passed on, and so is what the answering throws', async () => {
  for (const quiz of [undefined, null, {}, { quiz_id: 'a:b', prompt: 'p' }, { quiz_id: 'qz_1' }]) {
    const { client } = clientOf(() => refusal(428, 'quiz_required', { quiz }));
    await assert.rejects(client.blockAgent(id), (error) => {
      assert.ok(error instanceof RefusedError && error.status === 428);
      return true;
    });
  }
  const { client } = clientOf(quizzing(1).handle, {
    answer: async () => {
      throw new Error('no model');
    },
  });
  await assert.rejects(client.blockAgent(id), /no model/);
});

test('a caller that gives up while a quiz is answered does not wait for the answer', async () => {
  const asked = Promise.withResolvers<void>();
  const { client } = clientOf(quizzing(1).handle, {
    answer: () => {
      asked.resolve();
      return new Promise(() => {});
    },
  });
  const enough = new AbortController();
  const call = client.blockAgent(id, { signal: enough.signal });
  await asked.promise;
  enough.abort(new Error('enough'));
  await assert.rejects(call, /enough/);
});

test('reads and writes that are never quizzed pass a 428 on [BAR-284]', async () => {
  const quiz = { quiz_id: 'qz_0000000000000001', prompt: 'say 1' };
  const { client, requests } = clientOf(() => refusal(428, 'quiz_required', { quiz }));
  await assert.rejects(client.leaveRoom('the-bar'), { status: 428 });
  await assert.rejects(client.readMe(), { status: 428 });
  assert.equal(requests.length, 2);
});
