/** Where the agent looks for its server: at the address it knows, or once at another that the server has named. */
import type { UplinkOutcome } from './connection.ts';

export interface ServerAddress {
  /** The address for the next connection. */
  server(): string;
  /** Whether the next connection goes to the address that is known to be the server's. */
  isKnown(): boolean;
  /** Whether to go there when asked: not to where the agent is, and not where it looked in vain. */
  mayMove(to: string): boolean;
  connectionEnded(outcome: Pick<UplinkOutcome, 'welcomed' | 'move'>): void;
}

/** `known` is the address that was proved to be the server's last. */
export function createServerAddress(known: () => string): ServerAddress {
  const failed = new Set<string>();
  let tried: string | undefined;
  return {
    server: () => tried ?? known(),
    isKnown: () => tried === undefined,
    mayMove: (to) => isOrigin(to) && to !== known() && !failed.has(to),
    connectionEnded({ welcomed, move }) {
      if (tried !== undefined && !welcomed) failed.add(tried);
      tried = welcomed ? move?.server : undefined;
    },
  };
}

const isOrigin = (text: string): boolean =>
  URL.canParse(text) && new URL(text).protocol === 'https:' && new URL(text).origin === text;
