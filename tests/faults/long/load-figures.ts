/** The figures of requests that were sent during a fault. */
import type { LoadSummary } from './api-load.ts';
import type { FaultCluster } from './fault-cluster.ts';
import { startApiLoad, type ApiLoad } from './api-load.ts';
import type { Figure } from './scenario.ts';

export const startLoadOn = ({ url, certFile, owner }: FaultCluster, perSecond: number): ApiLoad =>
  startApiLoad({ url, certFile, apiKey: owner.apiKey, perSecond });

const describeFailures = ({ outcomes }: LoadSummary): string =>
  Object.entries(outcomes)
    .map(([outcome, count]) => `${count} × ${outcome}`)
    .join(', ') || 'none';

/** While the database is away no request can succeed, so that how many fail depends on the time only. */
const isSaid = ({ outcomes }: LoadSummary): boolean =>
  Object.keys(outcomes).every((outcome) => outcome === '503');

/** With aims: less than 1 % failed, or with 503 only if the database was away, all of them within 10 seconds. */
export function loadFigures(summary: LoadSummary, fault: 'node' | 'database' = 'node'): Figure[] {
  const { requests, failed, failingSeconds, p50, p99 } = summary;
  const share = (failed / requests) * 100;
  return [
    {
      name: 'failed requests',
      value: `${failed} of ${requests} (${share.toFixed(2)} %): ${describeFailures(summary)}`,
      aim: fault === 'node' ? '< 1 %' : '503 only',
      reached: fault === 'node' ? share < 1 : isSaid(summary),
    },
    {
      name: 'from the first failure to the last',
      value: `${failingSeconds.toFixed(1)} s`,
      aim: '≤ 10 s',
      reached: failingSeconds <= 10,
    },
    { name: 'time of a request', value: `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms` },
  ];
}
