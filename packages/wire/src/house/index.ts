export * as house_commands from './commands.ts';
export { house_refusals } from './refusals.ts';
export * as house_routes from './routes.ts';
