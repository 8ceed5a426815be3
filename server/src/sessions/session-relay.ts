/** Chooses the relay of a session: the nearest to both sides, or the server's own. */
import type { RoundTrip } from '@drawbridge/contract/session/round-trips';
import { nearestRelay, ownRelay } from '../domain/sessions/nearest-relay.ts';
import type { Fleet } from '../gateway/devices/fleet.ts';
import type { ActiveSession } from './active-sessions.ts';
import type { RemoteRelays } from './remote-relays-interface.ts';
import type { RelayTarget } from './signer.ts';

interface RelayChoiceDeps {
  relays: Pick<RemoteRelays, 'offersFor' | 'assign'>;
  fleet: Fleet;
  /** The URL of this node's relay. */
  relayUrl(): string;
}

/** Resolves to undefined for the server's own relay. `operator` is what the page has measured. */
export type ChooseRelay = (
  session: Pick<ActiveSession, 'id' | 'pair' | 'agentId'>,
  operator: readonly RoundTrip[],
) => Promise<RelayTarget | undefined>;

export const createRelayChoice =
  ({ relays, fleet, relayUrl }: RelayChoiceDeps): ChooseRelay =>
  async (session, operator) => {
    const { id, agentId } = session;
    const offers = relays.offersFor(id).filter(({ name }) => operator.some((trip) => trip.name === name));
    // The clients of invitations do not measure.
    if (agentId === null || offers.length === 0) return undefined;
    const measured = await fleet.command(agentId, 'relays', {
      relays: [{ name: ownRelay, url: relayUrl() }, ...offers],
    });
    // An agent that does not know the command is not sent to other relays.
    if (typeof measured === 'string' || 'refused' in measured) return undefined;
    const names = offers.map(({ name }) => name);
    const nearest = nearestRelay(names, operator, measured.done.round_trips);
    return nearest === ownRelay ? undefined : relays.assign(nearest, session);
  };
