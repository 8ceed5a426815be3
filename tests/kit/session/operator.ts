/**
 * An operator for tests: connects to a device at a relay, proves its key, and sends and receives encrypted
 * frames.
 */
import { encodeNumber, decodeNumber } from '@drawbridge/contract/session/binary-frames';
import { frameKinds, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import { relayProtocol, type OpenReply } from '@drawbridge/contract/session/open';
import { decodeBody, splitSigned } from '@drawbridge/contract/session/signed';
import {
  decodeMessage,
  encodeMessage,
  type SessionMessage,
  type SessionMessageKind,
} from '@drawbridge/contract/session/messages';
import { verifyHello, type HandshakeResult } from '@drawbridge/session/handshake';
import { nodeCrypto } from '@drawbridge/session/node/crypto';
import type { SessionKeyPair } from '@drawbridge/session/ports';
import { isProblem } from '@drawbridge/contract/session/problem';
import { WebSocket } from 'ws';
import { eventually } from '../eventually.ts';
import { createNodeSeal, type NodeSeal, type OpenedFrame } from './node-seal.ts';

export interface TestOperatorOptions {
  relay: string;
  ticket: string;
  pair: string;
  /** The Ed25519 keys of the server and of the device, as the operator knows them. */
  serverKey: string;
  deviceKey: string;
  sessionKey: SessionKeyPair;
}

export interface Operator extends AsyncDisposable {
  /** The code that both sides can compare; empty until the device is authenticated. */
  code(): string;
  received: OpenedFrame[];
  messages<Kind extends SessionMessageKind & FrameKindName>(kind: Kind): SessionMessage<Kind>[];
  /** Resolves with the first message of this kind that fits. */
  until<Kind extends SessionMessageKind & FrameKindName>(
    kind: Kind,
    fits?: (message: SessionMessage<Kind>) => boolean,
  ): Promise<SessionMessage<Kind>>;
  /** A number is the byte of a kind that this version does not know. */
  send(kind: FrameKindName | number, payload: Uint8Array): void;
  sendMessage<Kind extends SessionMessageKind & FrameKindName>(
    kind: Kind,
    message: SessionMessage<Kind>,
  ): void;
  /** Why the operator rejects what it received, if it does. */
  rejection(): string | undefined;
  /** Resolves when the connection is closed. */
  gone: Promise<void>;
  leave(): void;
  /** Sends raw bytes. */
  post(frame: Uint8Array): void;
  /** Sends its frames through another transport from now on. */
  sendBy(transport: (frame: Uint8Array) => void): void;
  /** Takes a frame that arrived through another transport. */
  take(frame: Uint8Array): void;
}

/**
 * Sends keep-alives as a page does, so that the device does not consider it gone during a slow test; the
 * answers are not among the received messages.
 */
const [beatMs, beatNumber] = [5_000, 0xbea7_bea7];

interface OperatorState {
  options: TestOperatorOptions;
  /** Whether it proves its key by itself as soon as it has authenticated the device. */
  confirms: boolean;
  socket: WebSocket;
  gone: Promise<void>;
  received: OpenedFrame[];
  seal: NodeSeal | undefined;
  isAuthenticating: boolean;
  code: string;
  rejection: string | undefined;
  post(frame: Uint8Array): void;
}

type MessageKind = SessionMessageKind & FrameKindName;

function fail(state: OperatorState, why: string): void {
  state.rejection ??= why;
  state.socket.close(1_000);
}

function send(
  { socket, seal, post }: OperatorState,
  kind: FrameKindName | number,
  payload: Uint8Array,
): void {
  if (socket.readyState === WebSocket.OPEN) seal!.seal(kind, payload).forEach((frame) => post(frame));
}

function take(state: OperatorState, bytes: Uint8Array): void {
  const frame = state.seal!.open(bytes);
  if (!frame) fail(state, 'a frame does not open');
  else if (frame.kind !== 'pong' || decodeNumber(frame.payload) !== beatNumber) state.received.push(frame);
}

/** Authenticates the device by its first frame. */
async function authenticate(state: OperatorState, frame: Buffer): Promise<void> {
  if (state.isAuthenticating) return fail(state, 'a frame arrived before the handshake was complete');
  state.isAuthenticating = true;
  const verified = await verifyDevice(frame, state.options);
  if (!verified) return fail(state, 'it is not the device that answered');
  const { keys } = verified;
  state.seal = createNodeSeal({ send: keys.operator, receive: keys.device });
  state.code = keys.code;
  if (!state.confirms) return;
  send(state, 'confirm', encodeMessage('confirm', { version: 1 }));
  const beat = setInterval(() => send(state, 'ping', encodeNumber(beatNumber)), beatMs).unref();
  void state.gone.then(() => clearInterval(beat));
}

function openState(options: TestOperatorOptions, confirms: boolean): OperatorState {
  const socket = new WebSocket(options.relay, relayProtocol, {
    rejectUnauthorized: false,
    perMessageDeflate: false,
  });
  const gone = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  const post = (frame: Uint8Array): void => socket.send(frame);
  const initial = { received: [], seal: undefined, isAuthenticating: false, code: '', rejection: undefined };
  const state: OperatorState = { options, confirms, socket, gone, post, ...initial };
  socket.on('error', () => {});
  socket.on('open', () => socket.send(options.ticket));
  socket.on('message', (data, binary) => {
    if (!binary || state.rejection !== undefined) return;
    if (state.seal) take(state, data as Buffer);
    else void authenticate(state, data as Buffer);
  });
  return state;
}

const messagesOf = <Kind extends MessageKind>(
  { received }: OperatorState,
  kind: Kind,
): SessionMessage<Kind>[] =>
  received.filter((frame) => frame.kind === kind).map(({ payload }) => decodeMessage(kind, payload)!);

async function waitForMessage<Kind extends MessageKind>(
  state: OperatorState,
  kind: Kind,
  fits: (message: SessionMessage<Kind>) => boolean,
): Promise<SessionMessage<Kind>> {
  const found = await eventually(
    () => ({
      message: messagesOf(state, kind).find(fits),
      received: state.received.map((frame) => frame.kind),
      ended: messagesOf(state, 'end')[0],
      rejection: state.rejection,
    }),
    ({ message }) => message !== undefined,
  );
  return found.message!;
}

/** `confirms`: whether it proves its key by itself as soon as it has authenticated the device. */
export function connectOperator(options: TestOperatorOptions, confirms = true): Operator {
  const state = openState(options, confirms);
  const { socket, gone, received } = state;
  return {
    code: () => state.code,
    received,
    messages: (kind) => messagesOf(state, kind),
    until: (kind, fits = () => true) => waitForMessage(state, kind, fits),
    send: (kind, payload) => send(state, kind, payload),
    sendMessage: (kind, message) => send(state, kind, encodeMessage(kind, message)),
    rejection: () => state.rejection,
    gone,
    leave: () => socket.close(1_000),
    post: (frame) => state.post(frame),
    sendBy: (transport) => void (state.post = transport),
    take: (frame) => take(state, frame),
    async [Symbol.asyncDispose]() {
      socket.terminate();
      await gone;
    },
  };
}

/** Signed by the server, for this pairing, this device and this key. */
async function verifyDevice(
  frame: Buffer,
  { serverKey, pair, deviceKey, sessionKey }: TestOperatorOptions,
): Promise<HandshakeResult | undefined> {
  const hello = frame[0] === frameKinds.hello.byte ? decodeMessage('hello', frame.subarray(1)) : undefined;
  const grant = hello && decodeBody('grant', splitSigned(hello.grant)?.body ?? '');
  if (!grant) return undefined;
  const device = { id: 1, name: '', os: '', key: deviceKey };
  const reply = { session: grant.session, pair, server_key: serverKey, device } as OpenReply;
  const result = await verifyHello(nodeCrypto, frame, { reply, keyPair: sessionKey, knownKey: deviceKey });
  return isProblem(result) ? undefined : result;
}
