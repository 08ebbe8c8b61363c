import { InputFault } from './input.ts';

/** A request that HTTP itself does not allow (RFC 9112). */
export class MalformedFault extends InputFault {
  override name = 'MalformedFault';
}

/** A request line or headers beyond their bound. */
export class LargeHeadFault extends InputFault {
  override name = 'LargeHeadFault';
}
