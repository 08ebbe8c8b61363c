import { body_bytes_max } from '../../limits.ts';

/** An error of JSON-RPC or A2A (D-BAR-81); `reason` names those of A2A in the dialect of 1.0. */
export type DoormanError = {
  readonly code: number;
  readonly message: string;
  readonly reason?: string;
};

export const doorman_errors = {
  not_json: { code: -32700, message: 'The body is not JSON.' },
  too_large: { code: -32600, message: `The request is larger than ${body_bytes_max} bytes.` },
  invalid_request: {
    code: -32600,
    message:
      'The body is not one JSON-RPC 2.0 request: an object with jsonrpc "2.0", method and id.',
  },
  unknown_method: {
    code: -32601,
    message: 'The doorman has no such method; it answers SendMessage and message/send.',
  },
  invalid_params: {
    code: -32602,
    message: 'params.message.parts is missing or empty; send at least one part.',
  },
  no_task: {
    code: -32001,
    message: 'There is no such task: the doorman creates none.',
    reason: 'TASK_NOT_FOUND',
  },
  no_push: {
    code: -32003,
    message: 'The doorman sends no push notifications.',
    reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
  },
  unsupported: {
    code: -32004,
    message: 'The doorman does not do this; send SendMessage or message/send.',
    reason: 'UNSUPPORTED_OPERATION',
  },
  no_extended_card: {
    code: -32007,
    message: 'There is no other card than the public one.',
    reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  },
  unknown_version: {
    code: -32009,
    message: 'A2A-Version is neither 1.0 nor 0.3.',
    reason: 'VERSION_NOT_SUPPORTED',
  },
} as const satisfies Record<string, DoormanError>;

/** What becomes of a method: a message is answered, the list of tasks is empty, the rest fails. */
export type Fate = 'message' | 'tasks' | DoormanError;

const { no_task, no_push, unsupported, no_extended_card } = doorman_errors;

const fates_1_0: Readonly<Record<string, Fate>> = {
  SendMessage: 'message',
  ListTasks: 'tasks',
  GetTask: no_task,
  CancelTask: no_task,
  SendStreamingMessage: unsupported,
  SubscribeToTask: unsupported,
  GetExtendedAgentCard: unsupported,
  CreateTaskPushNotificationConfig: no_push,
  SetTaskPushNotificationConfig: no_push,
  GetTaskPushNotificationConfig: no_push,
  ListTaskPushNotificationConfig: no_push,
  ListTaskPushNotificationConfigs: no_push,
  DeleteTaskPushNotificationConfig: no_push,
};

const fates_0_3: Readonly<Record<string, Fate>> = {
  'message/send': 'message',
  'tasks/get': no_task,
  'tasks/cancel': no_task,
  'message/stream': unsupported,
  'tasks/resubscribe': unsupported,
  'agent/getAuthenticatedExtendedCard': no_extended_card,
  'tasks/pushNotificationConfig/set': no_push,
  'tasks/pushNotificationConfig/get': no_push,
  'tasks/pushNotificationConfig/list': no_push,
  'tasks/pushNotificationConfig/delete': no_push,
};

/** The two ways of speaking A2A. */
export type Dialect = '1.0' | '0.3';

/** Which dialect a method's name is of: only those of 0.3 have a slash. */
export const dialectOf = (method: string): Dialect => (method.includes('/') ? '0.3' : '1.0');

/** What becomes of `method`; undefined if neither dialect has it. */
export function fateOf(method: string): Fate | undefined {
  const fates = dialectOf(method) === '1.0' ? fates_1_0 : fates_0_3;
  return Object.hasOwn(fates, method) ? fates[method] : undefined;
}
