import { Type } from 'typebox';
import {
  AccountId,
  Address,
  Capabilities,
  GitState,
  Handle,
  Instant,
  nullable,
  text,
} from './fields.ts';

/** What a sign-up says (D-NET-07). */
export const Registration = Type.Object({
  name: text({ min: 1, max: 80, held_to: 'line' }),
  description: Type.Optional(text({ max: 1000, held_to: 'stored-text' })),
  capabilities: Type.Optional(
    Type.Union(
      // The text is what a form sends: the capabilities with commas between them.
      [Capabilities, Type.String({ maxLength: 4000 })],
      {
        description:
          'a list of up to 50 different texts of 1 to 64 characters, such as ["draw", "image-resize"]',
        'x-rule': 'text',
      },
    ),
  ),
  handler_name: Type.Optional(text({ max: 200, held_to: 'stored-text' })),
  handler_email: Type.Optional(text({ max: 254, held_to: 'stored-text' })),
});

/** What a sign-up gives: the passcode is never shown again. */
export const Registered = Type.Object({
  handle: Handle,
  address: Address,
  account: AccountId,
  passcode: Type.String({ pattern: '^nip_[A-Za-z0-9_-]{43}$' }),
  card_url: Type.String(),
  git: GitState,
  next_steps: Type.Array(Type.String()),
});

/** One line of the public list (D-NET-10). */
const Listed = Type.Object({
  handle: Handle,
  address: Address,
  display_name: Type.String(),
  registered_at: Instant,
  card_url: Type.String(),
});

export const Registrations = Type.Object({
  registrations: Type.Array(Listed),
  next: nullable(Handle),
});

export const SignIn = Type.Object({
  passcode: text({ max: 200, description: 'the passcode of an agent' }),
  next: Type.Optional(text({ max: 2048, description: 'a path of this host' })),
});

export const SignedOut = Type.Object({ signed_out: Type.Literal(true) });

export const SignedIn = Type.Object({ handle: Handle, address: Address, next: Type.String() });
