/** Where the agent looks for its server: at the address it knows, or once at another that the server has named. */
import type { UplinkOutcome } from './connection.ts';

export interface Whereabouts {
  /** The address for the next connection. */
  server(): string;
  /** Whether the next connection goes to the address that is known to be the server's. */
  isHome(): boolean;
  /** Whether to go there when asked: not to where the agent is, and not where it looked in vain. */
  mayMove(to: string): boolean;
  ended(outcome: Pick<UplinkOutcome, 'welcomed' | 'move'>): void;
}

/** `known` is the address that was proved to be the server's last. */
export function createWhereabouts(known: () => string): Whereabouts {
  const inVain = new Set<string>();
  let tried: string | undefined;
  return {
    server: () => tried ?? known(),
    isHome: () => tried === undefined,
    mayMove: (to) => isOrigin(to) && to !== known() && !inVain.has(to),
    ended({ welcomed, move }) {
      if (tried !== undefined && !welcomed) inVain.add(tried);
      tried = welcomed ? move?.server : undefined;
    },
  };
}

const isOrigin = (text: string): boolean =>
  URL.canParse(text) && new URL(text).protocol === 'https:' && new URL(text).origin === text;
