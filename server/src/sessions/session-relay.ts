/** Chooses the relay of a session: the nearest to both sides, or the server's own. */
import type { RelayOffer, RoundTrip } from '@drawbridge/contract/session/round-trips';
import { hasAnswer, type Bus } from '../bus/bus.ts';
import { nearestRelay, ownRelay } from '../domain/sessions/nearest-relay.ts';
import type { Fleet } from '../gateway/devices/fleet.ts';
import { roundTripsSubject } from '../gateway/lobby/lobby-subjects.ts';
import type { ActiveSession } from './active-sessions.ts';
import type { RemoteRelays } from './remote-relays-interface.ts';
import type { RelayTarget } from './signer.ts';

interface RelayChoiceDeps {
  relays: Pick<RemoteRelays, 'offersFor' | 'assign'>;
  fleet: Fleet;
  bus: Pick<Bus, 'request'>;
  /** The URL of this node's relay. */
  relayUrl(): string;
}

/** Resolves to undefined for the server's own relay. `operator` is what the page has measured. */
export type ChooseRelay = (
  session: Pick<ActiveSession, 'id' | 'pair' | 'agentId' | 'invitationId'>,
  operator: readonly RoundTrip[],
) => Promise<RelayTarget | undefined>;

/** How long the node that holds the client's connection may take to answer. */
const clientTimeoutMs = 1_000;

export const createRelayChoice =
  (deps: RelayChoiceDeps): ChooseRelay =>
  async (session, operator) => {
    const { relays } = deps;
    const offers = relays
      .offersFor(session.id)
      .filter(({ name }) => operator.some((trip) => trip.name === name));
    if (offers.length === 0) return undefined;
    const { agentId, invitationId } = session;
    const measured =
      agentId === null ? await askClient(deps, invitationId) : await askDevice(deps, agentId, offers);
    const names = offers.map(({ name }) => name);
    const nearest = nearestRelay(names, operator, measured);
    return nearest === ownRelay ? undefined : relays.assign(nearest, session);
  };

/** An agent that does not know the command is not sent to other relays. */
async function askDevice(
  { fleet, relayUrl }: RelayChoiceDeps,
  agentId: number,
  offers: readonly RelayOffer[],
): Promise<readonly RoundTrip[]> {
  const relays = [{ name: ownRelay, url: relayUrl() }, ...offers];
  const answer = await fleet.command(agentId, 'relays', { relays });
  return typeof answer === 'string' || 'refused' in answer ? [] : answer.done.round_trips;
}

/** The client of an invitation has measured when it joined. One that is not there, or is older, has measured nothing. */
async function askClient(
  { bus }: RelayChoiceDeps,
  invitationId: number | null,
): Promise<readonly RoundTrip[]> {
  if (invitationId === null) return [];
  const answer = await bus.request(roundTripsSubject(invitationId), {}, clientTimeoutMs);
  return hasAnswer(answer) ? (answer as readonly RoundTrip[]) : [];
}
