/** A clock whose intervals run in a worker, which browsers do not throttle in hidden pages. */
import { createClock } from '@drawbridge/session/clock';
import type { Clock } from '@drawbridge/session/ports';
import { trustedScriptUrl } from './trusted-script-url.ts';

let script: string | undefined;

function workerInterval(ms: number, call: () => void): () => void {
  const worker = new Worker((script ??= trustedScriptUrl('/app/tick.js')));
  worker.addEventListener('message', call);
  worker.postMessage(ms);
  return () => worker.terminate();
}

export const workerClock: Clock = createClock(workerInterval);
