import assert from 'node:assert/strict';
import { it } from 'node:test';
import { chooseDomain } from './choose-domain.ts';

it('chooseDomain takes the setting, a host of the room, the name in the public URL, or localhost', () => {
  const public_url = 'https://stoa.example.org:8443';
  const hosts = ['net.example.org', 'network.example.org'];
  const cases = [
    [{ domain: 'agents.example', hosts, public_url }, 'agents.example'],
    [{ domain: '10.0.0.1', hosts: [], public_url }, '10.0.0.1'],
    [{ domain: undefined, hosts, public_url }, 'net.example.org'],
    [{ domain: undefined, hosts: [], public_url }, 'stoa.example.org'],
    [{ domain: undefined, hosts: [], public_url: 'http://127.0.0.1:8080' }, 'localhost'],
    [{ domain: undefined, hosts: [], public_url: 'http://[::1]:8080' }, 'localhost'],
    [{ domain: undefined, hosts: [], public_url: 'http://0.0.0.0' }, 'localhost'],
    [{ domain: undefined, hosts: [], public_url: '' }, 'localhost'],
  ] as const;
  for (const [given, domain] of cases) assert.equal(chooseDomain(given), domain);
});
