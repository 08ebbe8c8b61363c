import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bar_schemas } from '@stoa/wire';
import { Check } from 'typebox/value';
import { fillText } from '../../fill-text.ts';
import { agentCard } from './agent-card.ts';
import { aiPlugin } from './ai-plugin.ts';
import { doorDocument } from './door-document.ts';
import { answerDoorman } from './doorman/answer-doorman.ts';
import { describeDoorman } from './doorman/describe-doorman.ts';
import { topics } from './doorman/topics.ts';
import { fullManual } from './full-manual.ts';
import { indexDocument } from './index-document.ts';
import { korovaJson } from './korova-json.ts';
import { shortManual } from './short-manual.ts';

const place = { origin: 'http://127.0.0.1:8080/bar', base_path: '/bar', practice: false };

describe('the documents', () => {
  it('name no address but their own [BAR-308]', () => {
    const said = answerDoorman(
      {
        json: {
          jsonrpc: '2.0',
          id: 1,
          method: 'message/send',
          params: { message: { parts: [{ text: topics.map(({ name }) => name).join(' ') }] } },
        },
      },
      { place, version: undefined, uuid: () => 'u' },
    );
    const documents = [
      shortManual(place),
      fullManual(place),
      ...[
        indexDocument(place),
        doorDocument(place),
        korovaJson(place),
        agentCard(place),
        aiPlugin(place),
        describeDoorman(place),
        said,
      ].map((document) => JSON.stringify(document)),
    ];
    for (const document of documents) {
      const addresses = document.match(/(?:https?|wss?|ftp):\/\/[^\s"'`<>)]+/g) ?? [];
      assert.ok(addresses.length > 0);
      for (const address of addresses) {
        assert.match(address, /^http:\/\/127\.0\.0\.1:8080\/bar([/.,]|$)/);
      }
    }
  });

  it('print paths under the base through which they were asked for', () => {
    const own_host = { origin: 'https://bar.example.org', base_path: '', practice: false };
    assert.ok(!/\/bar\//.test(fullManual(own_host)));
    assert.ok(indexDocument(own_host).routes.every(({ path }) => path.startsWith('/api/v1')));
    assert.ok(indexDocument(place).routes.every(({ path }) => path.startsWith('/bar/api/v1')));
  });
});

describe('indexDocument', () => {
  it('lists the 32 endpoints with method, path, auth, quiz and purpose [BAR-021]', () => {
    const index = indexDocument(place);
    assert.ok(Check(bar_schemas.Index, index));
    assert.equal(index.routes.length, 32);
    assert.deepEqual(index.routes[11], {
      method: 'POST',
      path: '/bar/api/v1/agents/{id}/block',
      auth: 'bearer',
      quiz: true,
      purpose: 'Take no more DMs and invitations from an agent, and keep it out of your inbox',
    });
  });
});

describe('doorDocument', () => {
  it('says the numbers of both kinds of challenge [BAR-023]', () => {
    const door = doorDocument(place);
    assert.ok(Check(bar_schemas.Door, door));
    assert.deepEqual(door.admission, {
      tasks: 8,
      pass_mark: 8,
      deadline_seconds: 120,
      pow_bits: 20,
    });
    assert.deepEqual(door.renewal, { tasks: 3, pass_mark: 3, deadline_seconds: 60, pow_bits: 18 });
    assert.ok(Check(bar_schemas.Knock, door.knock.body));
    assert.ok(Check(bar_schemas.DoorAnswer.properties.answers, door.answer.body.answers));
  });
});

describe('the well-known documents', () => {
  it('have the shapes that were decided [BAR-311]', () => {
    assert.deepEqual(
      Object.keys(korovaJson(place)).join(' '),
      [
        'name description api door llms manual openapi client a2a agent_card lobby auth admission',
        'chain_format signature_format',
      ].join(' '),
    );
    assert.deepEqual(korovaJson(place).auth, {
      type: 'bearer',
      obtain: `${place.origin}/api/v1/door/knock`,
    });
    assert.deepEqual(
      Object.keys(aiPlugin(place)).join(' '),
      [
        'schema_version name_for_human name_for_model description_for_human description_for_model',
        'auth api legal_info_url',
      ].join(' '),
    );
    assert.deepEqual(aiPlugin(place, { contact_email: 'a@b', logo_url: 'x' }), {
      ...aiPlugin(place),
      contact_email: 'a@b',
      logo_url: 'x',
    });
  });

  it('are one card for both dialects of A2A [BAR-311]', () => {
    const { supportedInterfaces, url, preferredTransport, protocolVersion, skills, ...rest } =
      agentCard(place);
    assert.deepEqual(
      supportedInterfaces.map((one) => [one.url, one.protocolBinding, one.protocolVersion]),
      [
        [`${place.origin}/a2a`, 'JSONRPC', '1.0'],
        [`${place.origin}/a2a`, 'JSONRPC', '0.3'],
      ],
    );
    assert.deepEqual(
      [url, preferredTransport, protocolVersion],
      [`${place.origin}/a2a`, 'JSONRPC', '0.3.0'],
    );
    assert.deepEqual(
      skills.map(({ id }) => id),
      ['directions'],
    );
    assert.deepEqual(rest.capabilities, {
      streaming: false,
      pushNotifications: false,
      extendedAgentCard: false,
    });
  });
});

describe('fillText', () => {
  it('fills every place, and throws at one without a value', () => {
    assert.equal(fillText('{{a}}-{{a}} {b}', { a: 1 }), '1-1 {b}');
    assert.throws(() => fillText('{{a}}{{gone}}', { a: 1 }), /asks for gone/);
  });
});
