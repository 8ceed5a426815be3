/** A client's page in a session with an operator's page: every kind of frame with a sample, and what the client's page does. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { frameKinds, type FrameKind, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Emitter } from '@drawbridge/session/emitter';
import type { OperatorSession } from '@drawbridge/session/operator/operator';
import type { SealedChannel } from '@drawbridge/session/sealed-channel';
import type { Payload } from '@drawbridge/session/payloads';
import { collectFrames, soon, untilPhase, type ReceivedFrames } from './connected-pair.ts';

/** The page of the client, of either version. */
export interface ClientPage {
  key: string;
  /** Accepts the operator that the server announces. */
  receive(request: { grant: string; ticket: string; relay: string }, serverKey: string): Promise<void>;
  /** The session of the operator who joined last. */
  session(): (Pick<Emitter, 'on'> & Pick<SealedChannel, 'send'>) | undefined;
  /** How often the person was asked whether an operator may connect. */
  questions(): number;
  share(): void;
  say(text: string): boolean;
  messages(): readonly { name: string; text: string }[];
  endAll(message: string): void;
}

export interface ClientPair {
  /** The lower version of the two pages. */
  version: number;
  session: OperatorSession;
  received: ReceivedFrames;
  client: ClientPage;
  cut(): void;
}

const data = Uint8Array.of(1, 2, 3, 250);
const chunk = { id: 3, at: 70_000, data };
const box = { x: 1, y: 2, width: 300, height: 400 };
const entry = { name: 'a.txt', kind: 'file', size: 7, time: 1_700_000_000, writable: true } as const;
const monitor = { ...box, name: 'DP-1', primary: true };
const program = { name: 'bash', version: '5.2', publisher: 'GNU', install_date: '2026-01-02' };

/** Kinds of the handshake and the connection, which the session sends by itself: the other checks depend on them. */
type OwnKind = 'hello' | 'confirm' | 'state' | 'end' | 'ping' | 'pong' | 'direct' | 'rekey';

/** A kind without a sample here does not compile. */
const samples: { [Kind in Exclude<FrameKindName, OwnKind>]: Payload<Kind> } = {
  people: { people: [{ seat: 1, name: 'Ann', driver: true, you: true, shield: false }] },
  refused: { kind: 'lock', message: 'No.' },
  layout: {
    width: 640,
    height: 400,
    current: 0,
    monitors: [monitor],
    codec: 'vp8',
    sizes: [{ width: 8, height: 9 }],
  },
  video: { number: 5, key: true, boxes: [box], data },
  tiles: { number: 6, copies: [{ ...box, toX: 5, toY: 6 }], tiles: [{ x: 1, y: 2, image: data }] },
  cursor: { x: 3, y: 4, shape: { width: 5, height: 6, hotX: 1, hotY: 2, png: data } },
  shown: 70_000,
  view: { monitor: -1, quality: 'sharp', paused: false, video: true, fresh: true },
  pointer: { x: 1, y: 65_535, buttons: 31 },
  wheel: { x: 1, y: 2, deltaX: -120, deltaY: 240 },
  key: { down: true, code: 'KeyZ', key: 'ä' },
  text: { text: 'Grüße' },
  drive: { to: 4 },
  resize: { width: 800, height: 600 },
  clipboard: { text: 'copied' },
  terminal: { do: 'resize', id: 1, columns: 80, rows: 24 },
  terminal_bytes: chunk,
  file: { do: 'put', id: 2, path: '/a', size: 9, time: 1_700_000_000, replace: true },
  file_answer: { is: 'list', id: 2, path: '/', entries: [entry], more: false, total: 1 },
  file_bytes: chunk,
  file_drag: { is: 'outside' },
  printing: { on: true, printer: 'Drawbridge-1A2B' },
  document: { is: 'taken', id: 3, bytes: 4 },
  document_bytes: chunk,
  chat: { text: 'Hello', name: 'Ann' },
  call: { do: 'decline', message: 'Later.' },
  voice: chunk,
  sound: { on: true },
  sound_bytes: chunk,
  lock: {},
  shield: { on: true },
  reboot: { safe: true },
  software: {},
  programs: { programs: [program] },
  install: { message: 'Please.' },
};

type SampleKind = keyof typeof samples;
const sampleKinds = (by: 'operator' | 'device', version: number): SampleKind[] =>
  (Object.keys(samples) as SampleKind[]).filter((kind) => {
    const { from, since } = frameKinds[kind];
    return [by, 'both'].includes(from) && since <= version;
  });

/** Sends every kind that this side may send and both know, and waits until it has arrived unchanged; pages also send some kinds by themselves. */
async function compareSamples(
  kinds: readonly SampleKind[],
  send: SealedChannel['send'],
  received: ReceivedFrames,
): Promise<void> {
  for (const kind of kinds) {
    const before = received.of(kind).length;
    assert.ok(send(kind, samples[kind]), kind);
    await soon(
      () => received.of(kind).slice(before),
      (frames) => frames.some((frame) => isDeepStrictEqual(frame, samples[kind])),
    );
  }
}

const live = ['agent_chat', 'agent_audio_calls', 'agent_app_install_request'];
const permissionOf = (kind: SampleKind): string => (frameKinds[kind] as FrameKind).permission ?? '';

export const clientChecks: Record<string, (pair: ClientPair) => Promise<void>> = {
  async 'the person is asked, and the page offers what a browser supports'({ session, received, client }) {
    await received.until('state', ({ phase }) => phase === 'asking');
    assert.equal(client.questions(), 1);
    assert.deepEqual([...session.permissions], live);
    assert.ok(['agent_connect', 'agent_control'].every((permission) => session.unable[permission]));
  },
  async 'every kind that the operator sends arrives unchanged'({ session, client, version }) {
    await compareSamples(sampleKinds('operator', version), session.send, collectFrames(client.session()!));
  },
  async 'every kind that the client sends arrives unchanged'({ received, client, version }) {
    await compareSamples(sampleKinds('device', version), client.session()!.send, received);
  },
  async 'what no browser can do is refused'({ session, received, version }) {
    const isRefused = (kind: SampleKind): boolean =>
      kind === 'sound' || ![...live, 'agent_connect'].includes(permissionOf(kind));
    const beyond = sampleKinds('operator', version).filter(isRefused);
    for (const kind of beyond) session.send(kind, samples[kind]);

    await soon(
      () => received.of('refused').map(({ kind }) => kind),
      ({ length }) => length === beyond.length,
    );
    assert.deepEqual(
      received.of('refused').map(({ kind }) => kind),
      beyond,
    );
  },
  async 'permissions change when the screen is shared'({ session, client }) {
    client.share();

    await soon(
      () => [...session.permissions],
      (permissions) => permissions.includes('agent_connect'),
    );
    assert.ok(!('agent_connect' in session.unable));
  },
  async 'messages pass in both directions'({ session, received, client }) {
    session.send('chat', { text: 'Hello', name: 'anyone' });
    await soon(
      () => client.messages().map(({ name, text }) => `${name}: ${text}`),
      (all) => all.includes('ann@example.com: Hello'),
    );

    assert.ok(client.say('Good morning'));
    await received.until('chat', ({ text }) => text === 'Good morning');
  },
  async 'a lost connection is resumed without another question'({ session, client, cut }) {
    cut();
    await untilPhase(session, 'reconnecting');
    await untilPhase(session, 'live');

    assert.equal(client.questions(), 1);
  },
  async 'the client ends the session'({ session, client }) {
    client.endAll('Goodbye.');
    await session.ended;

    assert.deepEqual([session.state.by, session.state.message], ['device', 'Goodbye.']);
  },
};
