/** An operator written for tests: meets a device at a relay, proves its key, and says and hears sealed frames. */
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
import { isProblem } from '@drawbridge/session/problem';
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
  /** What both sides can show to compare; empty until the device was believed. */
  code(): string;
  heard: OpenedFrame[];
  words<Kind extends SessionMessageKind & FrameKindName>(kind: Kind): SessionMessage<Kind>[];
  /** The first word of this kind that fits, as soon as it is there. */
  until<Kind extends SessionMessageKind & FrameKindName>(
    kind: Kind,
    fits?: (word: SessionMessage<Kind>) => boolean,
  ): Promise<SessionMessage<Kind>>;
  send(kind: FrameKindName, payload: Uint8Array): void;
  say<Kind extends SessionMessageKind & FrameKindName>(kind: Kind, word: SessionMessage<Kind>): void;
  /** Why the operator does not believe what came, if it does not. */
  doubt(): string | undefined;
  /** Resolves when the line is gone. */
  gone: Promise<void>;
  leave(): void;
  /** Sends bytes as they are. */
  post(frame: Uint8Array): void;
  /** Sends its frames another way from now on. */
  sendBy(transport: (frame: Uint8Array) => void): void;
  /** Takes a frame that came another way. */
  take(frame: Uint8Array): void;
}

/** As a page does, so that the device does not take it for gone while a test takes its time; the answers are not among what is heard. */
const [beatMs, beatNumber] = [5_000, 0xbea7_bea7];

/** `confirms`: whether it proves by itself that it holds its key, as soon as it believes the device. */
export function connectOperator(operatorOptions: TestOperatorOptions, confirms = true): Operator {
  const socket = new WebSocket(operatorOptions.relay, relayProtocol, {
    rejectUnauthorized: false,
    perMessageDeflate: false,
  });
  const gone = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  const heard: OpenedFrame[] = [];
  let seal: NodeSeal | undefined;
  let isVerifying = false;
  let [code, doubt]: [string, string?] = [''];
  let post = (frame: Uint8Array): void => socket.send(frame);
  const send = (kind: FrameKindName, payload: Uint8Array): void => {
    if (socket.readyState === WebSocket.OPEN) seal!.seal(kind, payload).forEach((frame) => post(frame));
  };
  const take = (bytes: Uint8Array): void => {
    const frame = seal!.open(bytes);
    if (!frame) fail('a frame does not open');
    else if (frame.kind !== 'pong' || decodeNumber(frame.payload) !== beatNumber) heard.push(frame);
  };
  const fail = (why: string): void => {
    doubt ??= why;
    socket.close(1_000);
  };
  const greet = async (frame: Buffer): Promise<void> => {
    if (isVerifying) return fail('a frame came before the handshake was complete');
    isVerifying = true;
    const verified = await verifyDevice(frame, operatorOptions);
    if (!verified) return fail('it is not the device that answered');
    const { keys } = verified;
    [seal, code] = [createNodeSeal({ send: keys.operator, receive: keys.device }), keys.code];
    if (!confirms) return;
    send('confirm', encodeMessage('confirm', { version: 1 }));
    const beat = setInterval(() => send('ping', encodeNumber(beatNumber)), beatMs).unref();
    void gone.then(() => clearInterval(beat));
  };
  socket.on('error', () => {});
  socket.on('open', () => socket.send(operatorOptions.ticket));
  socket.on('message', (data, binary) => {
    if (!binary || doubt !== undefined) return;
    if (seal) take(data as Buffer);
    else void greet(data as Buffer);
  });

  const words = <Kind extends SessionMessageKind & FrameKindName>(kind: Kind): SessionMessage<Kind>[] =>
    heard.filter((frame) => frame.kind === kind).map(({ payload }) => decodeMessage(kind, payload)!);
  return {
    code: () => code,
    heard,
    words,
    async until<Kind extends SessionMessageKind & FrameKindName>(
      kind: Kind,
      fits: (word: SessionMessage<Kind>) => boolean = () => true,
    ) {
      const found = await eventually(
        () => ({
          word: words(kind).find(fits),
          heard: heard.map((frame) => frame.kind),
          ended: words('end')[0],
          doubt,
        }),
        ({ word }) => word !== undefined,
      );
      return found.word!;
    },
    send,
    say: (kind, word) => send(kind, encodeMessage(kind, word)),
    doubt: () => doubt,
    gone,
    leave: () => socket.close(1_000),
    post: (frame) => post(frame),
    sendBy: (transport) => void (post = transport),
    take,
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
