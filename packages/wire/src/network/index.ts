export { agent_card_schema } from './agent-card-schema.ts';
export { call_url_form } from './call-url-form.ts';
export { cardFaultWords } from './card-fault-words.ts';
export * as network_commands from './commands.ts';
export { network_refusals } from './refusals.ts';
export * as network_routes from './routes.ts';
export * as network_schemas from './schemas.ts';
