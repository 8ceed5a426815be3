/**
 * Generates whole socket conversations as bytes: the upgrade request, then frames with messages that fit,
 * almost fit, or are malformed.
 */
import { lobbyPath, lobbyProtocol, lobbyUp } from '@drawbridge/contract/session/lobby';
import { relayPath, relayProtocol } from '@drawbridge/contract/session/open';
import { schemaOf, type JsonSchema } from '@drawbridge/contract/documents/schema';
import { ticket } from '@drawbridge/contract/session/signed';
import { upMessages, uplinkPath, uplinkProtocol } from '@drawbridge/contract/uplink/messages';
import { frame, opcodes, upgradeRequest } from '../slow/frames.ts';
import { malformedBodies, oddTexts } from './corpus.ts';
import type { SeededRandom } from './seeded-random.ts';
import { mutate } from './raw-bytes.ts';
import type { FuzzFixture } from './fixture.ts';
import { objectOf } from './values.ts';

type Messages = [kind: string, schema: JsonSchema][];
const messagesOf = (kinds: Record<string, Parameters<typeof schemaOf>[0]>): Messages =>
  Object.entries(kinds).map(([kind, shape]) => [kind, schemaOf(shape)]);

const [fromDevices, fromClients] = [messagesOf(upMessages), messagesOf(lobbyUp)];
const ticketSchema = schemaOf(ticket);

/** A message of one of the kinds, as JSON text. */
function messageOf(messages: Messages, fixture: FuzzFixture, random: SeededRandom): string {
  const [kind, schema] = random.pick(messages);
  const fields = objectOf({ id: `message ${kind}`, fixture, random }, schema).slice(1, -1);
  const named = random.oneIn(20) ? random.pick(oddTexts) : kind;
  return `{"kind":${JSON.stringify(named)}${fields === '' ? '' : `,${fields}`}}`;
}

/** A ticket that is correctly signed, whatever it contains. */
const ticketOf = (fixture: FuzzFixture, random: SeededRandom): string =>
  random.oneIn(4)
    ? random.pick(oddTexts)
    : fixture.ticket(objectOf({ id: 'ticket', fixture, random }, ticketSchema));

export const deviceMessage = (fixture: FuzzFixture, random: SeededRandom): string =>
  messageOf(fromDevices, fixture, random);

const endpoints: Record<string, [protocol: string, (fixture: FuzzFixture, random: SeededRandom) => string]> =
  {
    [uplinkPath]: [uplinkProtocol, deviceMessage],
    [lobbyPath]: [lobbyProtocol, (fixture, random) => messageOf(fromClients, fixture, random)],
    [relayPath]: [relayProtocol, ticketOf],
  };

/** One message in a frame, or in several; some frames violate the WebSocket protocol. */
function framesOf(text: string, random: SeededRandom): Buffer {
  if (random.oneIn(6)) return frame(random.pick(Object.keys(opcodes) as (keyof typeof opcodes)[]), text);
  if (random.oneIn(8)) return frame('text', text, { fin: false });
  if (random.oneIn(8)) {
    const half = Math.floor(text.length / 2);
    return Buffer.concat([
      frame('text', text.slice(0, half), { fin: false }),
      frame('continuation', text.slice(half)),
    ]);
  }
  const bytes = frame('text', text);
  if (random.oneIn(10)) bytes[0] = random.whole(0, 255);
  if (random.oneIn(20)) bytes[1] = random.whole(0, 255);
  return random.oneIn(10) ? mutate(bytes, random) : bytes;
}

export function socketBytes(fixture: FuzzFixture, random: SeededRandom): Buffer {
  const path = random.pick(Object.keys(endpoints));
  const [protocol, message] = endpoints[path]!;
  const origin = random.oneIn(10)
    ? [`Origin: ${random.pick([fixture.origin, 'null', 'https://evil.example'])}`]
    : [];
  const asked = upgradeRequest(path, random.oneIn(30) ? 'chat' : protocol, ...origin);
  const frames = Array.from({ length: random.whole(1, 4) }, () => {
    const text = random.oneIn(12) ? String(random.pick(malformedBodies)) : message(fixture, random);
    // Two bytes of a frame carry its length here.
    return framesOf(text.slice(0, 60_000), random);
  });
  return Buffer.concat([Buffer.from(asked), ...frames]);
}

/** The code with which the server closed a socket; undefined if there was none. */
export function closeCodeIn(received: Buffer): number | undefined {
  let at = received.indexOf('\r\n\r\n') + 4;
  while (at + 4 <= received.length) {
    const short = received[at + 1]! & 0x7f;
    const [length, head] = short < 126 ? [short, 2] : [received.readUInt16BE(at + 2), 4];
    if ((received[at]! & 0x0f) === 0x8) return received.readUInt16BE(at + head);
    at += head + length;
  }
  return undefined;
}
