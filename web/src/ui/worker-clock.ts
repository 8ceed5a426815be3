/** A clock whose intervals run in a worker, which browsers do not throttle in hidden pages. */
import { createClock } from '@drawbridge/session/clock';
import type { Clock } from '@drawbridge/session/ports';

interface TrustedTypePolicies {
  createPolicy(
    name: string,
    rules: { createScriptURL(text: string): string },
  ): {
    createScriptURL(text: string): string;
  };
}

const scriptPath = '/app/tick.js';

/** Browsers that enforce Trusted Types accept a script URL only from a policy. */
function trustedScriptUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypePolicies };
  const policy = trustedTypes?.createPolicy('drawbridge-tick', { createScriptURL: () => scriptPath });
  return policy?.createScriptURL(scriptPath) ?? scriptPath;
}

let script: string | undefined;

function workerInterval(ms: number, call: () => void): () => void {
  const worker = new Worker((script ??= trustedScriptUrl()));
  worker.addEventListener('message', call);
  worker.postMessage(ms);
  return () => worker.terminate();
}

export const workerClock: Clock = createClock(workerInterval);
