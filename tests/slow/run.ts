/** One attack on a running server beside honest clients, and its measurements. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '../kit/eventually.ts';
import type { AttackOrder } from './attacker.ts';
import type { Attack } from './attacks.ts';
import { percentile, startHonestClients, type ClientTimings } from './honest-clients.ts';
import type { AttackFixture } from './fixture.ts';

export interface AttackResult {
  name: string;
  begun: number;
  /**
   * The most attacker connections the server held, and how many it still holds when its timeout for them is
   * over.
   */
  held: number;
  left: number;
  p50: number;
  /** Of the kind of honest client with the largest. */
  p99: number;
  slowest: string;
  samples: number;
  errors: string[];
  grownMegabytes: number;
  /** Whether all places were free again once the attackers had left. */
  freed: boolean;
}

/** How long an attack is watched that the server does not end by itself. */
const watchedSeconds = 15;
/** Connections of honest clients, which open and close. */
const tolerance = 12;

const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, seconds * 1_000));

/** Whether at most this many files are open in time. */
const closesFiles = (fixture: AttackFixture, most: number): Promise<boolean> =>
  eventually(
    () => fixture.openFiles(),
    (now) => now <= most,
    20_000,
  ).then(
    () => true,
    () => false,
  );

function summaryOf(
  measurements: Record<string, ClientTimings>,
): Pick<AttackResult, 'p50' | 'p99' | 'slowest' | 'samples' | 'errors'> {
  const measured = Object.entries(measurements).map(([kind, { took }]) => ({
    kind,
    p99: percentile(took, 0.99),
  }));
  const worst = measured.toSorted((one, other) => other.p99 - one.p99)[0]!;
  const took = Object.values(measurements).flatMap((each) => each.took);
  return {
    p50: percentile(took, 0.5),
    p99: worst.p99,
    slowest: worst.kind,
    samples: took.length,
    errors: Object.entries(measurements).flatMap(([kind, { errors }]) =>
      errors.map((error) => `${kind}: ${error}`),
    ),
  };
}

export async function runAttack(
  fixture: AttackFixture,
  [name, attack]: readonly [string, Attack],
  count: number,
): Promise<AttackResult> {
  const [files, megabytes] = [fixture.openFiles(), fixture.megabytes()];
  const most = { files, megabytes };
  const look = setInterval(() => {
    most.files = Math.max(most.files, fixture.openFiles());
    most.megabytes = Math.max(most.megabytes, fixture.megabytes());
  }, 200);
  const honest = startHonestClients(fixture.secrets);
  const child = fork(join(import.meta.dirname, 'attacker.ts'), { stdio: 'inherit' });
  const gone = once(child, 'exit');
  child.send({ name, count, secrets: fixture.secrets } satisfies AttackOrder);
  const [{ begun }] = (await once(child, 'message')) as [{ begun: number }];
  await pause(attack.endsWithin ?? watchedSeconds);
  const left = Math.max(0, fixture.openFiles() - files - tolerance);
  const measurements = await honest.stop();
  child.send('leave');
  await gone;
  clearInterval(look);
  const freed = await closesFiles(fixture, files + 2);
  return {
    name,
    begun,
    held: Math.max(0, most.files - files - tolerance),
    left,
    ...summaryOf(measurements),
    grownMegabytes: most.megabytes - megabytes,
    freed,
  };
}
