/** How the two sides of a session measure their round trips to relays, so that the server can choose the nearest one. */
import * as z from 'zod';
import { list } from '../list.ts';

/** A WebSocket at a relay may send a few of these before its ticket. */
export const echoRequest = 'ping';
export const echoReply = 'pong';
/** How many of them one WebSocket may send. */
export const maxEchoes = 4;

/** The relays that a server may have besides its own. */
const maxRelays = 8;

const name = z.string().max(32);

/** A relay that a side may measure. The name of the server's own relay is empty. */
const relayOffer = z.object({ name, url: z.url().max(512) });
export type RelayOffer = z.output<typeof relayOffer>;
export const relayOffers = list(relayOffer, { max: maxRelays + 1 });

/** The shortest round trip to a relay that answered. */
const roundTrip = z.object({ name, ms: z.int().min(0).max(60_000) });
export type RoundTrip = z.output<typeof roundTrip>;
export const roundTrips = list(roundTrip, { max: maxRelays + 1 });
