/**
 * Measures the cases in interleaved rounds, so that noise affects all of them equally, and keeps the best value of each.
 * The round before them, in which the server is cold, is reported apart.
 */
import { hasBaseline, type BenchCase, type ServerUnderLoad } from './cases.ts';
import { runMeasured } from './run-case.ts';

/** A server with or without TLS. */
export interface ApiContender extends ServerUnderLoad {
  name: 'limit' | 'ours';
  tls: boolean;
}

export interface Measurement {
  each: BenchCase;
  by: ApiContender;
  /** CPU seconds per request; minimum of all rounds after the first. */
  cpu: number;
  /** The same in the first round, in which the server has not run this code before. */
  coldCpu: number;
  /** Maximum of all rounds. */
  perSecond: number;
  /** Minimum of all rounds. */
  p99Ms: number;
  failures: number;
}

export interface RunOptions {
  rounds: number;
  seconds: number;
}

const takesPart = (each: BenchCase, by: ApiContender): boolean => by.name === 'ours' || hasBaseline(each);

export async function measureAll(
  cases: readonly BenchCase[],
  contenders: readonly ApiContender[],
  { rounds, seconds }: RunOptions,
): Promise<Measurement[]> {
  const pairs = cases.flatMap((each) =>
    contenders.filter((by) => takesPart(each, by)).map((by) => ({ each, by })),
  );
  const best: (Measurement | undefined)[] = pairs.map(() => undefined);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, { each, by }] of pairs.entries()) {
      showProgress(`round ${round} of ${rounds}: ${each.name}, ${by.name}${by.tls ? ' over TLS' : ''}`);
      const fresh = await measure(each, by, seconds);
      best[at] =
        round <= 1 ? { ...fresh, coldCpu: best[at]?.coldCpu ?? fresh.cpu } : better(best[at]!, fresh);
    }
  }
  showProgress('');
  return best as Measurement[];
}

const showProgress = (text: string): void =>
  void (process.stderr.isTTY && process.stderr.write(`\r${text}\u001b[K`));

async function measure(each: BenchCase, by: ApiContender, seconds: number): Promise<Measurement> {
  const { cpu, failures, perSecond, p99Ms } = await runMeasured(each, by, seconds);
  return { each, by, cpu, coldCpu: cpu, perSecond, p99Ms, failures };
}

const better = (old: Measurement, fresh: Measurement): Measurement => ({
  ...old,
  cpu: Math.min(old.cpu, fresh.cpu),
  perSecond: Math.max(old.perSecond, fresh.perSecond),
  p99Ms: Math.min(old.p99Ms, fresh.p99Ms),
  failures: old.failures + fresh.failures,
});
