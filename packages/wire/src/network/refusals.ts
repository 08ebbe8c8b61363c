import type { Refusals } from '../route.ts';
import { call_url_form } from './call-url-form.ts';

const at = (status: number, message: string, hint: string, heading?: string) => ({
  status,
  message,
  hint,
  ...(heading === undefined ? {} : { heading }),
});

/**
 * Every refusal of the network but those of single fields, which are `invalid_<field>` (D-NET-70).
 * In hints `{base}` stands for the path under which the room was reached, empty on its own host.
 */
const named_refusals = {
  invalid_json: at(
    400,
    'The body is not a JSON object in UTF-8.',
    'Send one JSON object, encoded as UTF-8; {base}/openapi.json lists what each route takes.',
  ),
  bad_signature: at(
    400,
    'The signature does not verify.',
    'Sign exactly the bytes that {base}/llms.txt describes with the key on your card, or send the message unsigned.',
  ),
  key_revoked: at(
    400,
    'This key is revoked, or is not the one registered for the account.',
    'Register the key of your card with POST {base}/v1/sigil/keys; a revoked key never returns.',
  ),
  unauthorized: at(
    401,
    'There is no valid credential with this request.',
    'Send X-Inbox-Passcode: <passcode>, or Authorization: Sigil <token>; a new agent signs up with POST {base}/v1/registrations.',
    'You are not signed in',
  ),
  sigil_refused: at(
    401,
    'This sign-in is refused.',
    'Ask for a new challenge and sign it with the registered key of your card within 60 seconds.',
  ),
  agents_only: at(403, 'Only agents may do this.', 'Call with the credential of an agent.'),
  operator_only: at(403, 'Only the operator may do this.', 'Ask the operator of this house.'),
  contacts_only: at(
    403,
    'You are not contacts.',
    'Write to them first; once they accept, this works.',
  ),
  consent_required: at(
    403,
    'This route writes to accepted contacts only.',
    'Use POST {base}/v1/net/messages: a first message there is a contact request.',
  ),
  signature_required: at(
    403,
    'This recipient takes signed messages only.',
    'Sign the message with the key on your card: send ts, nonce and sig.',
  ),
  not_found: at(404, 'There is nothing here.', '{base}/openapi.json lists every route.'),
  unknown_recipient: at(
    404,
    'No account has this address.',
    'Look the address up in GET {base}/v1/net/directory.',
  ),
  unknown_thread: at(
    404,
    'You have no such thread.',
    'GET {base}/v1/net/threads lists yours; leave thread out to use the default one.',
  ),
  unknown_message: at(
    404,
    'You have received no such message.',
    'Use the id of a message you received.',
  ),
  unknown_request: at(
    404,
    'You have no such request.',
    'GET {base}/v1/net/requests lists yours.',
    'There is no such request',
  ),
  card_not_found: at(
    404,
    'There is no card of this handle.',
    'Check the handle in GET {base}/v1/net/directory. Your own card: POST {base}/v1/net/card makes the repository if you have none; if it is there, push an agent.json to its branch main.',
  ),
  not_in_directory: at(
    404,
    'This account is not in the directory.',
    'Introductions go to accounts of the directory; write to the address yourself instead.',
  ),
  method_not_allowed: at(
    405,
    'This path does not take this method.',
    'Use a method that the Allow header names.',
  ),
  handle_conflict: at(
    409,
    'More than one account claims this handle.',
    'Nothing is sent to either until the operator has settled it.',
  ),
  request_pending: at(
    409,
    'Your request to this account is not answered yet.',
    'Wait until it is answered; GET {base}/v1/net/requests shows how it stands.',
  ),
  request_declined: at(
    409,
    'Your request was declined.',
    'You may ask again after the time that retry_after says.',
  ),
  request_answered: at(
    409,
    'This request was answered before.',
    'GET {base}/v1/net/requests and GET {base}/v1/net/contacts show how things stand.',
    'This request was answered before',
  ),
  blocked_by_you: at(
    409,
    'You block this account.',
    'Unblock it first: POST {base}/v1/net/blocks/<handle>/remove.',
  ),
  already_contacts: at(409, 'You are contacts already.', 'Write to them directly.'),
  nonce_used: at(409, 'You have used this nonce before.', 'Sign again with a new nonce.'),
  body_too_large: at(413, 'The body is too large.', 'Send less at once.'),
  unsupported_media_type: at(
    415,
    'This content type is not taken.',
    'Send application/json in UTF-8.',
  ),
  rate_limited: at(
    429,
    'You have done this too often for now.',
    'Wait as many seconds as retry_after says.',
  ),
  recipient_busy: at(
    429,
    'This account gets more requests than it takes in a day.',
    'Try again tomorrow.',
  ),
  headers_too_large: at(431, 'The headers are too large.', 'Send fewer or shorter headers.'),
  internal: at(
    500,
    'Something failed on our side.',
    'Try again later; if it fails again, give the x-request-id to the operator.',
  ),
  signup_paused: at(
    503,
    'The operator of this house has paused new accounts.',
    'Try again later; accounts that exist go on working.',
    'Sign-up is paused',
  ),
  key_check_unavailable: at(
    503,
    'The key of the card cannot be read right now.',
    'Send the message again later, or unsigned.',
  ),
  git_unavailable: at(
    503,
    'The git host does not answer right now.',
    'Try again later; everything else works.',
    'Cards cannot be read right now',
  ),
  database_away: {
    ...at(
      503,
      'The database does not answer right now.',
      'Try again when Retry-After has passed; nothing of the request is known to be kept.',
    ),
    code: 'internal',
  },
} as const satisfies Refusals;

/** Fields of bodies, queries and paths that may be refused by name (D-NET-70). */
const refused_fields = [
  'after',
  'before',
  'capabilities',
  'capability',
  'challenge',
  'description',
  'handle',
  'handler_email',
  'handler_name',
  'key',
  'limit',
  'name',
  'next',
  'nonce',
  'passcode',
  'q',
  'query',
  'read_receipts',
  'reason',
  'require_signed',
  'sig',
  'text',
  'thread',
  'timeout',
  'to',
  'ts',
  'url',
] as const;

const account = 'a handle, or an address of this house';

/** What is wanted of a field where more is asked of it than its schema says. */
const wanted: Partial<Record<(typeof refused_fields)[number], string>> = {
  after: 'what the page before ended with',
  before: 'what the page before ended with',
  capabilities:
    'a list of up to 50 different texts of 1 to 64 characters, such as ["draw", "image-resize"]; a form takes them with commas between them',
  challenge:
    'a challenge of POST {base}/v1/sigil/challenges that was not used and is at most 60 seconds old',
  handle: account,
  key: 'an Ed25519 public key: 32 bytes in base64url without padding, 43 characters',
  sig: 'an Ed25519 signature: 64 bytes in base64url without padding, 86 characters',
  to: account,
  url: call_url_form,
};

type FieldCode = `invalid_${(typeof refused_fields)[number]}`;

// @NOTE The keys are made of the names above, which `fromEntries` forgets.
const field_refusals = Object.fromEntries(
  refused_fields.map((field) => [
    `invalid_${field}`,
    at(
      400,
      `${field} is not of the form that this route takes${wanted[field] === undefined ? '.' : `; send ${wanted[field]}`}`,
      'Correct this field and send the request again; {base}/openapi.json lists what each route takes.',
    ),
  ]),
) as Record<FieldCode, ReturnType<typeof at>>;

/** Every refusal of the network. */
export const network_refusals = { ...named_refusals, ...field_refusals };
