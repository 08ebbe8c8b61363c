import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sigilKeyText, sigilSessionText } from './sigil-text.ts';

const claim = { address: 'bob@d', audience: 'http://h/net', challenge: 'sgc_1' };

it('sigilSessionText and sigilKeyText begin with their own names and go on in canonical JSON', () => {
  assert.equal(
    sigilSessionText(claim),
    'ni-sigil-v1\n{"address":"bob@d","audience":"http://h/net","challenge":"sgc_1","v":1}',
  );
  assert.equal(
    sigilKeyText({ ...claim, key: 'K' }),
    'ni-sigil-key-v1\n{"address":"bob@d","audience":"http://h/net","challenge":"sgc_1","key":"K","v":1}',
  );
  assert.throws(() => sigilSessionText({ ...claim, challenge: '\ud800' }), TypeError);
});
