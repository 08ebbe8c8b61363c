export * as bar_commands from './commands.ts';
export { bar_endpoints } from './endpoints.ts';
export { bar_refusals } from './refusals.ts';
export type { BarRoute } from './route.ts';
export * as bar_routes from './routes.ts';
export {
  type BarRule,
  content_types,
  flag_reasons,
  pow_rule,
  quiz_retry,
  trust_states,
} from './schemas/fields.ts';
export * as bar_schemas from './schemas.ts';
