/** The two sides of a session at the relay: the one that waits, then both with frames between them, until one leaves. */
import { leaveCodes, relayCloseCodes, type RelayCloseCode } from '@drawbridge/contract/close-codes';
import type { Side } from '@drawbridge/contract/session/frame-kinds';
import type { RawData, WebSocket } from 'ws';
import { createDirectByteCounter, type DirectByteCounter } from './direct-byte-counter.ts';
import { createFramePipe, type FramePipe } from './frame-pipe.ts';
import type { RelayLimits } from './limits.ts';
import type { PairingPeer } from './peer.ts';
import { closeSocket } from './socket-server.ts';

export interface PairingReport {
  pair: string;
  bytesToOperator: number;
  bytesToDevice: number;
  /** Bytes that took the direct connection in both directions, as the device reports. */
  directBytes: number;
  /** Frames of both sides that were not allowed. */
  dropped: number;
  /** Which side left or was lost; `server` where it ended the session; `fault` where a rule was broken or nobody came. */
  by: Side | 'server' | 'fault';
  /** Whether both sides were there. */
  paired: boolean;
  /** The close code of the side that left; `leaveCodes.lost` if it was lost or did not close. */
  code: number;
}

export interface PairingDeps {
  limits: RelayLimits;
  /** Milliseconds of a monotonic clock. */
  clock(): number;
  onPaired(pair: string): void;
  onEnd(report: PairingReport): void;
}

export interface Pairing {
  readonly isPaired: boolean;
  join(peer: PairingPeer): void;
  /** Disconnects both sides; `by` says who caused it. */
  finish(by: PairingReport['by'], why: RelayCloseCode, reason?: string): void;
  /** Ends what takes too long. */
  check(at: number): void;
  /** What it has carried so far. */
  bytes(): number;
  /** Bytes that wait for either side. */
  waiting(): number;
  dropped(): number;
}

interface State {
  readonly pair: string;
  readonly startedAt: number;
  readonly deps: PairingDeps;
  readonly peers: Map<Side, PairingPeer>;
  /** The frames to each side. */
  readonly pipes: Map<Side, FramePipe>;
  readonly dropped: Record<Side, number>;
  counter: DirectByteCounter | undefined;
  isOver: boolean;
}

const otherOf = { operator: 'device', device: 'operator' } as const;

export function createPairing(pair: string, startedAt: number, deps: PairingDeps): Pairing {
  const state: State = {
    pair,
    startedAt,
    deps,
    peers: new Map(),
    pipes: new Map(),
    dropped: { operator: 0, device: 0 },
    counter: undefined,
    isOver: false,
  };
  return {
    get isPaired() {
      return state.pipes.size > 0;
    },
    join: (peer) => join(state, peer),
    finish: (by, why, reason) => finish(state, { by, why, reason }),
    check: (at) => check(state, at),
    bytes: () => Object.values(countedBytes(state)).reduce((sum, each) => sum + each, 0),
    waiting: () => waitingBytes(state),
    dropped: () => droppedFrames(state),
  };
}

const countedBytes = ({ pipes, counter }: State) => ({
  bytesToOperator: pipes.get('operator')?.bytes ?? 0,
  bytesToDevice: pipes.get('device')?.bytes ?? 0,
  directBytes: counter?.bytes ?? 0,
});

const droppedFrames = ({ dropped }: State): number => dropped.operator + dropped.device;

function waitingBytes({ peers }: State): number {
  let sum = 0;
  for (const { socket } of peers.values()) sum += socket.bufferedAmount;
  return sum;
}

function join(state: State, peer: PairingPeer): void {
  const { peers } = state;
  peers.set(peer.side, peer);
  peer.socket.on('message', (data, isBinary) => onMessage(state, peer, data, isBinary));
  peer.socket.once('close', (code) => finish(state, { by: peer.side, why: 'gone', code }));
  const [operator, device] = [peers.get('operator'), peers.get('device')];
  if (operator && device) begin(state, operator, device);
}

function begin(state: State, operator: PairingPeer, device: PairingPeer): void {
  const { limits, clock, onPaired } = state.deps;
  state.pipes.set('device', createFramePipe(operator.socket, device.socket, limits));
  state.pipes.set('operator', createFramePipe(device.socket, operator.socket, limits));
  if (device.reportsDirectBytes) state.counter = createDirectByteCounter(device.socket, limits, clock);
  for (const { socket } of state.peers.values()) socket.send('paired');
  onPaired(state.pair);
}

function onMessage(state: State, peer: PairingPeer, data: RawData, isBinary: boolean): void {
  const frame = data as Buffer;
  peer.noteReceived();
  if (!isBinary) return onText(state, peer, frame);
  if (state.isOver) return;
  const pipe = state.pipes.get(otherOf[peer.side]);
  // Nothing may be sent before both sides are there.
  if (!pipe) return finishBlaming(state, peer.side, 'fault', 'not_understood');
  if (!peer.maySend(frame[0])) return drop(state, peer.side);
  pipe.forward(frame);
  if (peer.socket.isPaused && waitingBytes(state) > state.deps.limits.sessionBytes)
    finish(state, { by: 'fault', why: 'overfull' });
}

/** The last report of a device may arrive after the end. */
function onText(state: State, peer: PairingPeer, text: Buffer): void {
  const isReport = peer.reportsDirectBytes && state.counter?.accept(text);
  if (!isReport && !state.isOver) finishBlaming(state, peer.side, 'fault', 'not_understood');
}

function drop(state: State, side: Side): void {
  state.dropped[side] += 1;
  if (state.dropped[side] >= state.deps.limits.droppedFrames)
    finishBlaming(state, side, 'fault', 'not_allowed');
}

/** One side is the cause and is told why; for the other it is gone. */
function finishBlaming(state: State, side: Side, by: PairingReport['by'], why: RelayCloseCode): void {
  const socket = state.peers.get(side)?.socket;
  if (socket && why === 'silent') socket.terminate();
  else if (socket) closeSocket(socket, relayCloseCodes[why]);
  finish(state, { by, why: 'gone' });
}

interface Ending {
  by: PairingReport['by'];
  why: RelayCloseCode;
  reason?: string | undefined;
  code?: number;
}

function finish(state: State, { by, why, reason, code = leaveCodes.lost }: Ending): void {
  if (state.isOver) return;
  state.isOver = true;
  // The device answers before it closes. One that takes too long is cut off by the close timeout.
  const isAwaited = state.counter?.ask() ?? false;
  if (isAwaited) state.peers.get('device')!.socket.once('close', () => reportEnd(state, by, code));
  for (const { socket, side, isForwarded } of state.peers.values()) {
    const close = (): void => closeSocket(socket, relayCloseCodes[why], reason);
    if (isAwaited && isForwarded && side === 'device') afterLastReport(state, socket, close);
    else close();
  }
  if (!isAwaited) reportEnd(state, by, code);
}

/** The node that has passed the device on would answer a close frame at once, and the report would find no connection. */
function afterLastReport({ deps }: State, device: WebSocket, close: () => void): void {
  const timer = setTimeout(close, deps.limits.lastCountSeconds * 1_000);
  device.on('message', (_data, isBinary) => void (isBinary || close()));
  device.once('close', () => clearTimeout(timer));
}

function reportEnd(state: State, by: PairingReport['by'], code: number): void {
  const { pair, pipes, deps } = state;
  deps.onEnd({
    pair,
    ...countedBytes(state),
    dropped: droppedFrames(state),
    by,
    paired: pipes.size > 0,
    code,
  });
}

function check(state: State, at: number): void {
  const { peers, pipes, counter, startedAt } = state;
  for (const peer of peers.values())
    if (!peer.isAlive(at, pipes.get(peer.side)?.bytes ?? 0))
      finishBlaming(state, peer.side, peer.side, 'silent');
  counter?.poll(at);
  const [first] = peers.keys();
  if (pipes.size > 0 || !first || at - startedAt < state.deps.limits.waitSeconds[first] * 1_000) return;
  finish(state, { by: 'fault', why: 'alone' });
}
