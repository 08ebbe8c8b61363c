export { karma_refusals } from './refusals.ts';
export * as karma_routes from './routes.ts';
export type { KarmaRule } from './schemas.ts';
export * as karma_schemas from './schemas.ts';
