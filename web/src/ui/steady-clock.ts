/** A clock that keeps its beat while nobody looks at the page. */
import { createClock, type Clock } from '../session/clock.ts';

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL(text: string): string },
  ): {
    createScriptURL(text: string): string;
  };
}

const address = '/app/tick.js';

/** Browsers that guard what becomes a script want to see who vouches for it. */
function vouched(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  const policy = trustedTypes?.createPolicy('drawbridge-tick', { createScriptURL: () => address });
  return policy?.createScriptURL(address) ?? address;
}

let script: string | undefined;

function steadily(ms: number, call: () => void): () => void {
  const worker = new Worker((script ??= vouched()));
  worker.addEventListener('message', call);
  worker.postMessage(ms);
  return () => worker.terminate();
}

export const steadyClock: Clock = createClock(steadily);
