/** Answers what the nodes of the server ask about a client that is connected to this one. */
import type { Bus } from '../../bus/bus.ts';
import { sendToClient, type LobbyClient } from './lobby-client.ts';
import { clientSubject, previewSubject, roundTripsSubject, type ClientCall } from './lobby-subjects.ts';

/** Until the returned function is called. */
export function answerForClient(bus: Bus, client: LobbyClient): () => void {
  const { id } = client;
  const unsubscribers = [
    bus.answer(clientSubject(id), async (message) => callClient(client, message as ClientCall)),
    bus.answer(previewSubject(id), async () => client.preview),
    bus.answer(roundTripsSubject(id), async () => client.roundTrips),
  ];
  return () => unsubscribers.forEach((unsubscribe) => unsubscribe());
}

/** Sends a client to a session; false when it is not the one that the session is for. */
function callClient({ socket, key }: LobbyClient, { key: intendedKey, ...credentials }: ClientCall): boolean {
  if (intendedKey !== key || socket.readyState !== socket.OPEN) return false;
  sendToClient(socket, { kind: 'session', ...credentials });
  return true;
}
