/** The keys of messages between nodes that this node holds. It fetches them from the store, regularly and when it needs one. */
import type { BusKey } from './envelope.ts';

export interface KeyRing {
  /** The key for new messages. */
  newest(): BusKey;
  find(id: number): BusKey | undefined;
  /** Fetches the keys again, at most once a second; anyone who can publish on NATS can make up key numbers. */
  refresh(): Promise<void>;
  close(): void;
}

/** Returns the keys, oldest first, at least one. */
export type FetchKeys = () => Promise<readonly BusKey[]>;

const refreshEveryMs = 600_000;
const leastRefreshMs = 1_000;

export async function openKeyRing(fetchKeys: FetchKeys): Promise<KeyRing> {
  let keys = await fetchKeys();
  let lastFetch = -Infinity;
  let running: Promise<void> | undefined;
  const fetch = async (): Promise<void> => {
    lastFetch = performance.now();
    keys = await fetchKeys().catch(() => keys); // the store may be away; the keys stay valid
  };
  const refresh = async (): Promise<void> => {
    if (running) return running;
    if (performance.now() - lastFetch < leastRefreshMs) return;
    running = fetch().finally(() => (running = undefined));
    return running;
  };
  const timer = setInterval(() => void refresh(), refreshEveryMs).unref();
  return {
    newest: () => keys.at(-1)!,
    find: (id) => keys.find((key) => key.id === id),
    refresh,
    close: () => clearInterval(timer),
  };
}
