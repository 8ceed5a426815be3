/** Two sides that belong together: the one that waits, then both with frames between them, until one of them is gone. */
import type { CloseCodeName } from '@drawbridge/contract/session/close-codes';
import type { Side } from '@drawbridge/contract/session/frame-kinds';
import type { RawData } from 'ws';
import { createDirectByteCounter, type DirectByteCounter } from './direct-byte-counter.ts';
import { closeWithReason, type PairingPeer } from './peer.ts';
import { createFramePipe, type FramePipe } from './frame-pipe.ts';
import type { RelayLimits } from './limits.ts';

export interface PairingReport {
  pair: string;
  bytesToOperator: number;
  bytesToDevice: number;
  /** What went the direct way beside the relay, both ways, by the word of the device. */
  directBytes: number;
  /** Frames that were not allowed, of both sides. */
  dropped: number;
  /** Which side left or was lost; the server where it was told to end; `fault` where a rule was broken or nobody came. */
  by: Side | 'server' | 'fault';
  /** Whether both sides were there. */
  paired: boolean;
  /** With which code the side that left hung up; 1006 where it was lost, or nobody hung up. */
  code: number;
}

export interface PairingDeps {
  limits: RelayLimits;
  /** Milliseconds of a clock that nobody sets. */
  clock(): number;
  onPaired(pair: string): void;
  onEnd(report: PairingReport): void;
}

export interface Pairing {
  readonly isPaired: boolean;
  join(peer: PairingPeer): void;
  /** Sends both away; `by` says on whose account. */
  finish(by: PairingReport['by'], why: CloseCodeName, sentence?: string): void;
  /** Looks for what takes too long. */
  check(at: number): void;
  /** Bytes that wait for either side. */
  waiting(): number;
  dropped(): number;
}

const otherOf = { operator: 'device', device: 'operator' } as const;

export function createPairing(
  pair: string,
  startedAt: number,
  { limits, clock, onPaired, onEnd }: PairingDeps,
): Pairing {
  const peers = new Map<Side, PairingPeer>();
  /** The frames to each side. */
  const pipes = new Map<Side, FramePipe>();
  const dropped = { operator: 0, device: 0 };
  let counter: DirectByteCounter | undefined;
  let isOver = false;

  const waiting = (): number => {
    let sum = 0;
    for (const { socket } of peers.values()) sum += socket.bufferedAmount;
    return sum;
  };

  /** One side is the cause and hears why; for the other it is gone. */
  function finishBlaming(of: Side, by: PairingReport['by'], why: CloseCodeName): void {
    const socket = peers.get(of)?.socket;
    if (socket && why === 'silent') socket.terminate();
    else if (socket) closeWithReason(socket, why);
    finish(by, 'gone');
  }

  function finish(by: PairingReport['by'], why: CloseCodeName, sentence?: string, code = 1_006): void {
    if (isOver) return;
    isOver = true;
    // It answers before it hangs up, which does not take long: whoever is slow about it is cut off.
    const isAwaited = counter?.ask() ?? false;
    if (isAwaited) peers.get('device')!.socket.once('close', () => reportEnd(by, code));
    for (const { socket } of peers.values()) closeWithReason(socket, why, sentence);
    if (!isAwaited) reportEnd(by, code);
  }

  function reportEnd(by: PairingReport['by'], code: number): void {
    const [toOperator, toDevice] = [pipes.get('operator'), pipes.get('device')];
    onEnd({
      pair,
      bytesToOperator: toOperator?.bytes ?? 0,
      bytesToDevice: toDevice?.bytes ?? 0,
      directBytes: counter?.bytes ?? 0,
      dropped: dropped.operator + dropped.device,
      by,
      paired: pipes.size > 0,
      code,
    });
  }

  function drop(side: Side): void {
    dropped[side] += 1;
    if (dropped[side] >= limits.droppedFrames) finishBlaming(side, 'fault', 'not_allowed');
  }

  /** The last word of a device may come when all is over. */
  function onText(peer: PairingPeer, text: Buffer): void {
    const isTrue = peer.reportsDirectBytes && counter?.accept(text);
    if (!isTrue && !isOver) finishBlaming(peer.side, 'fault', 'not_understood');
  }

  function onMessage(peer: PairingPeer, data: RawData, isBinary: boolean): void {
    const frame = data as Buffer;
    if (!isBinary) return onText(peer, frame);
    if (isOver) return;
    const pipe = pipes.get(otherOf[peer.side]);
    // Nobody has anything to say before both are there.
    if (!pipe) return finishBlaming(peer.side, 'fault', 'not_understood');
    if (!peer.maySend(frame[0])) return drop(peer.side);
    pipe.forward(frame);
    if (peer.socket.isPaused && waiting() > limits.sessionBytes) finish('fault', 'overfull');
  }

  function begin(operator: PairingPeer, device: PairingPeer): void {
    pipes.set('device', createFramePipe(operator.socket, device.socket, limits));
    pipes.set('operator', createFramePipe(device.socket, operator.socket, limits));
    if (device.reportsDirectBytes) counter = createDirectByteCounter(device.socket, limits, clock);
    for (const { socket } of peers.values()) socket.send('paired');
    onPaired(pair);
  }

  return {
    get isPaired() {
      return pipes.size > 0;
    },
    join(peer) {
      peers.set(peer.side, peer);
      peer.socket.on('message', (data, isBinary) => onMessage(peer, data, isBinary));
      peer.socket.once('close', (code) => finish(peer.side, 'gone', undefined, code));
      const [operator, device] = [peers.get('operator'), peers.get('device')];
      if (operator && device) begin(operator, device);
    },
    finish,
    check(at) {
      for (const peer of peers.values())
        if (!peer.isAlive(at, pipes.get(peer.side)?.bytes ?? 0))
          finishBlaming(peer.side, peer.side, 'silent');
      counter?.poll(at);
      const [first] = peers.keys();
      if (pipes.size > 0 || !first || at - startedAt < limits.waitSeconds[first] * 1_000) return;
      finish('fault', 'alone');
    },
    waiting,
    dropped: () => dropped.operator + dropped.device,
  };
}
