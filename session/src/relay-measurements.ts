/** The round trips of one side of sessions to relays, measured rarely and kept for a while. */
import type { RelayOffer, RoundTrip } from '@drawbridge/contract/session/round-trips';
import { measureRelays, type OpenEcho } from './measure-relays.ts';
import type { Clock } from './ports.ts';

/** A relay that did not answer is tried again soon. */
const keepMs = { answered: 30 * 60_000, silent: 60_000 };
const maxKept = 32;

interface Measured {
  ms: number | undefined;
  until: number;
}

export function createRelayMeasurements(openEcho: OpenEcho, clock: Clock) {
  const known = new Map<string, Measured>();
  return {
    async measure(offers: readonly RelayOffer[]): Promise<RoundTrip[]> {
      const due = offers.filter(({ url }) => (known.get(url)?.until ?? 0) <= clock.now());
      const measured = await measureRelays(due, openEcho, clock);
      if (known.size > maxKept) known.clear();
      for (const { name, url } of due) {
        const ms = measured.find((each) => each.name === name)?.ms;
        known.set(url, { ms, until: clock.now() + (ms === undefined ? keepMs.silent : keepMs.answered) });
      }
      return offers.flatMap(({ name, url }) => {
        const ms = known.get(url)?.ms;
        return ms === undefined ? [] : { name, ms };
      });
    },
  };
}
