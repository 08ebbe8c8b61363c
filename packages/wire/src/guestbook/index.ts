export * as guestbook_commands from './commands.ts';
export { guestbook_refusals } from './refusals.ts';
export * as guestbook_routes from './routes.ts';
export type { GuestbookRule } from './schemas.ts';
