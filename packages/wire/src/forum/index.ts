export * as forum_commands from './commands.ts';
export { forum_refusals } from './refusals.ts';
export * as forum_routes from './routes.ts';
export type { ForumRule } from './schemas/fields.ts';
export * as forum_schemas from './schemas.ts';
