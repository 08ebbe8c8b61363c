import assert from 'node:assert/strict';
import { it } from 'node:test';
import { configTable } from '../../packages/server/src/config/papers.ts';
import { readConfig } from '../../packages/server/src/config.ts';
import { rooms } from '../../packages/server/src/house.ts';
import { blocksUnder, readme } from './read-blocks.ts';

const room_schemas = Object.fromEntries(rooms.map(({ name, settings }) => [name, settings]));

it('the README has the table of all settings, as it is made of their schema', () => {
  assert.ok(readme.includes(`\n\n${configTable(room_schemas)}\n`), configTable(room_schemas));
});

it('the file that the README shows is one that the house takes', () => {
  const file = blocksUnder('Configuration').find(({ language }) => language === 'toml');
  assert.ok(file);
  const config = readConfig({ argv: [], env: {}, readFile: () => file.text, room_schemas });
  assert.equal(config.public_url, 'https://stoa.example.org');
  assert.equal(config.trust_proxy, 1);
  assert.deepEqual(config.hosts, { guestbook: ['book.example.org'] });
  assert.equal(config.metrics.port, 9100);
});

it('the processes on PostgreSQL that the README starts have one folder of cards', () => {
  const blocks = blocksUnder('Running it for real');
  const file = blocks.find(({ language }) => language === 'toml');
  assert.ok(file);
  const commands = blocks.flatMap(({ text }) => text.match(/bin\/stoa serve .*(?= &)/g) ?? []);
  assert.equal(commands.length, 2);
  const configs = commands.map((command) => {
    const argv = command.split(' ').slice(2);
    return readConfig({ argv, env: {}, readFile: () => file.text, room_schemas });
  });
  for (const config of configs) {
    assert.equal(config.database_url, 'postgres://stoa@127.0.0.1:5432/stoa');
    const cards = { git: { folder: '/var/lib/stoa/cards' } };
    assert.partialDeepStrictEqual(config.rooms.network?.settings, cards);
  }
  for (const key of ['port', 'data'] as const) {
    assert.notEqual(configs[0]?.[key], configs[1]?.[key]);
  }
});
