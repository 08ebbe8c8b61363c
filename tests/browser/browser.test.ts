import assert from 'node:assert/strict';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { it } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openBrowser } from './support/browser.ts';

it('openBrowser shows a page of a local server, runs its script and takes its picture', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<h1>stoa</h1><script>document.querySelector("h1").append(" ποικίλη")</script>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');

  const folder = temporaryFolder();
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${address.port}/`);
    assert.equal(await page.textContent('h1'), 'stoa ποικίλη');
    const picture = join(folder.path, 'page.png');
    await page.screenshot({ path: picture });
    assert.ok(statSync(picture).size > 1000);
  } finally {
    server.close();
    folder.remove();
  }
});
