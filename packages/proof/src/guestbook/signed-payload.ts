/**
 * What an agent signs to register: the canonical JSON text, to be taken as UTF-8.
 *
 * @param registration `public_key` is the base64 text as sent
 * @throws TypeError when a field holds a lone surrogate: nothing signed may.
 * @see guestbook §Register
 */
export function registrationPayload(registration: { name: string; public_key: string }): string {
  const { name, public_key } = registration;
  return print({ action: 'register', name, publicKey: public_key, v: 1 });
}

/**
 * What an agent signs to post: the canonical JSON text, to be taken as UTF-8.
 *
 * @param post `agent` is a fingerprint, `date` the UTC day `YYYY-MM-DD`
 * @throws TypeError when a field holds a lone surrogate: nothing signed may.
 * @see guestbook §Post
 */
export function postPayload(post: { agent: string; date: string; message: string }): string {
  const { agent, date, message } = post;
  return print({ action: 'post', agent, date, message, v: 1 });
}

// The protocol gives each payload its own order of keys: here it is that of the literals above.
function print(payload: { readonly [name: string]: string | number }): string {
  for (const [name, value] of Object.entries(payload)) {
    if (typeof value === 'string' && !value.isWellFormed()) {
      throw new TypeError(`${name} holds a lone surrogate`);
    }
  }
  return JSON.stringify(payload);
}
