/** The address of the server: the known one, or once another one that the server has named. */
import type { UplinkOutcome } from './connection.ts';

export interface ServerAddress {
  /** The address for the next connection. */
  server(): string;
  /** Whether the next connection goes to the known address. */
  isKnown(): boolean;
  /** Whether to move to this address: not to the current one, and not to one that failed before. */
  mayMove(to: string): boolean;
  connectionEnded(outcome: Pick<UplinkOutcome, 'welcomed' | 'move'>): void;
}

/** `known` returns the address at which the server last proved its identity. */
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
