/** Of what form a URL is that a house calls for somebody. */
export const call_url_form =
  'an https URL of at most 2048 characters, without a user name, whose host can be reached from the open internet (no private address, no localhost)';
