import { caesar } from './caesar.ts';
import { code_tracing } from './code-tracing.ts';
import { dates } from './dates.ts';
import { extraction } from './extraction.ts';
import { hash } from './hash.ts';
import { nadsat } from './nadsat.ts';
import { number_words } from './number-words.ts';
import { odd_one_out } from './odd-one-out.ts';
import { primes } from './primes.ts';
import { reading } from './reading.ts';
import { sorting } from './sorting.ts';
import type { TaskFamily } from './task.ts';
import { transforms } from './transforms.ts';
import { units } from './units.ts';

/** Every kind of task that the door knows, in the order in which the protocol names them. */
export const families: readonly TaskFamily[] = [
  reading,
  caesar,
  number_words,
  hash,
  dates,
  units,
  sorting,
  primes,
  transforms,
  code_tracing,
  extraction,
  odd_one_out,
  nadsat,
];
