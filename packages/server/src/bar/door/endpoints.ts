import { bar_routes } from '@stoa/wire';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../room.ts';
import type { Bar } from '../bar.ts';
import { memberEndpoint } from '../bar-endpoint.ts';
import { answerDoor } from './answer-door.ts';
import { knock, takeKnock } from './knock.ts';
import { logOut } from './log-out.ts';
import { readDoor } from './read-door.ts';
import { readHealth } from './read-health.ts';
import { readIndex } from './read-index.ts';

/** The routes of this part of the bar with the use cases that answer them. */
export function doorEndpoints(bar: Bar): Endpoint[] {
  return [
    endpoint(bar_routes.readIndex, (call) => readIndex(bar, call)),
    endpoint(bar_routes.readHealth, () => readHealth(bar)),
    endpoint(bar_routes.readDoor, (call) => readDoor(bar, call)),
    endpoint(
      bar_routes.knock,
      (call) => knock(bar, call),
      (head) => takeKnock(bar, head),
    ),
    endpoint(bar_routes.answerDoor, (call) => answerDoor(bar, call)),
    memberEndpoint(bar, bar_routes.logOut, logOut),
  ];
}
