import { InputFault } from './input.ts';

/** A request that HTTP itself does not allow (RFC 9112). */
export class MalformedFault extends InputFault {
  override name = 'MalformedFault';
}

/** A body of a content type that is not taken. */
export class MediaTypeFault extends InputFault {
  override name = 'MediaTypeFault';
}

/** A request line or headers beyond their bound. */
export class LargeHeadFault extends InputFault {
  override name = 'LargeHeadFault';
}
