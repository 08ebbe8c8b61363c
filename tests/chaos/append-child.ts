// Appends to a ledger with many hands until it is killed, its input ends or it has written as many
// units as it was told to: prints a line for each unit that was acknowledged, and nothing before it was.
import { openLog } from '../../packages/server/src/log/log.ts';
import { chanceOf } from './draw.ts';
import { carryOut, drawUnit, ledger_migrations, openPlace, type Place } from './ledger.ts';

/** The program's one argument, as JSON. */
export type AppendOrder = {
  readonly place: Place;
  /** Begins the name of each unit. */
  readonly run: string;
  readonly seed: number;
  readonly hands: number;
  /** Ends after so many; endless if not given. */
  readonly units_max?: number;
  /** Goes on after a unit that failed: its connection may be severed. */
  readonly may_fail?: boolean;
};

const order: AppendOrder = JSON.parse(process.argv[2] ?? '');
const { place, run, seed, hands, units_max = Number.POSITIVE_INFINITY, may_fail = false } = order;

// It ends with whoever started it.
process.stdin.resume().on('end', () => process.exit());

const storage = openPlace(place);
await storage.migrate(ledger_migrations);
const log = openLog(storage);
process.stdout.write('ready\n');

let begun = 0;

async function work(hand: number): Promise<void> {
  const chance = chanceOf(seed + hand);
  for (let n = 0; begun < units_max; n += 1) {
    begun += 1;
    const unit = drawUnit(chance, `${run} ${hand} ${n}`);
    try {
      const entries = await carryOut(storage, log, unit);
      if (entries) {
        const places = entries.map(({ stream, position, hash }) => ({
          place: `${stream} ${position}`,
          hash: hash?.toString('hex'),
        }));
        process.stdout.write(`${JSON.stringify({ ...unit, places })}\n`);
      }
    } catch (error) {
      if (!may_fail) throw error;
      process.stdout.write(`failed ${(error as Error).name}\n`);
    }
  }
}

await Promise.all(Array.from({ length: hands }, (_, hand) => work(hand)));
await storage.close();
process.exit();
