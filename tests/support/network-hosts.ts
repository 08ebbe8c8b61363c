import type { Answer } from './answers.ts';
import type { TestHouse } from './open-house.ts';
import { requestWith } from './raw-http.ts';

/** Sends a request to the house as if by the name `host`. */
export function callAs(
  house: TestHouse,
  host: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  return requestWith(house, path, { method, headers: { ...headers, host } });
}
