import assert from 'node:assert/strict';
import { test } from 'node:test';
import { network_routes } from '@stoa/wire';
import { pathOf } from './route-request.ts';

const pathTo = (handle: string) => pathOf(network_routes.removeBlock, { params: { handle } });

test('pathOf keeps a parameter in its own segment of the path, whatever is in it', () => {
  for (const handle of [
    'bob',
    'bob@localhost',
    'a/b',
    '../a',
    'a?b',
    'a#b',
    'a\\b',
    '%',
    '%2e',
    '%2F',
    '...',
    'é \n',
  ]) {
    const path = pathTo(handle);
    const { pathname, search, hash } = new URL(path, 'http://house.test');
    assert.deepEqual([pathname, search, hash], [path, '', ''], handle);
    const [, v1, net, blocks, name = '', ...rest] = pathname.split('/');
    assert.deepEqual([v1, net, blocks, rest], ['v1', 'net', 'blocks', ['remove']], handle);
    assert.equal(decodeURIComponent(name), handle);
  }
});

test('pathOf refuses a parameter that would change the path', () => {
  for (const handle of ['', '.', '..', '\ud800']) {
    const expected = {
      name: 'TypeError',
      message: `nothing can be called ${JSON.stringify(handle)}`,
    };
    assert.throws(() => pathTo(handle), expected);
  }
});
