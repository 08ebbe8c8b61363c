export * from './bar/index.ts';
export { type Arguments, type Command, type CommandAnswer, command } from './command.ts';
export { escapeUnseen } from './escape-unseen.ts';
export * from './forum/index.ts';
export * from './guestbook/index.ts';
export * from './house/index.ts';
export * from './karma/index.ts';
export * from './network/index.ts';
export {
  type Answer,
  type Input,
  type Refusal,
  type RefusalCode,
  type Refusals,
  type Route,
  route,
} from './route.ts';
