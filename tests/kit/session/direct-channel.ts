/** The operator's end of a direct connection to a device, as a console opens it beside the relay. */
import assert from 'node:assert/strict';
import {
  createReassembler,
  createFrameSequencer,
  dataChannelLabel,
  fragmentFrame,
} from '@drawbridge/contract/session/direct';
import { maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';
import { cleanup, PeerConnection, type DataChannel } from 'node-datachannel';
import type { Operator } from './operator.ts';
import { eventually } from '../eventually.ts';

/** A lost packet of the handshake is sent again after 1, 3, 7, 15 and 31 seconds. */
const defaultTimeoutMs = 120_000;

/**
 * The library keeps pointers to channels until they are closed: a channel that was garbage-collected before
 * would crash `cleanup`.
 */
const channels: DataChannel[] = [];

/** It must be closed before the agent of the same process, which releases the library that both use. */
export interface DirectChannel extends Disposable {
  /** Switches to the direct connection: sends the last frame over the relay and the rest directly. */
  move(): void;
}

export async function openDirectChannel(
  operator: Operator,
  timeoutMs = defaultTimeoutMs,
): Promise<DirectChannel> {
  const peer = new PeerConnection('operator', { iceServers: [] });
  try {
    return await connectChannel(operator, peer, timeoutMs);
  } catch (error) {
    peer.close();
    throw error;
  }
}

async function connectChannel(
  operator: Operator,
  peer: PeerConnection,
  timeoutMs: number,
): Promise<DirectChannel> {
  const channel = await offerChannel(operator, peer);
  await waitUntilOpen({ operator, peer, channel, timeoutMs });
  receiveFrames(operator, channel);
  return {
    move() {
      operator.sendMessage('direct', { moved: 'direct' });
      operator.sendBy((frame) => fragmentFrame(frame).forEach((piece) => channel.sendMessageBinary(piece)));
    },
    [Symbol.dispose]: () => peer.close(),
  };
}

/** Offers a channel to the device; resolves when it has answered. */
async function offerChannel(operator: Operator, peer: PeerConnection): Promise<DataChannel> {
  peer.onLocalDescription((sdp) => operator.sendMessage('direct', { offer: sdp }));
  // The device connects as soon as it knows the address. The library fails if that happens before the answer
  // is set.
  const answered = Promise.withResolvers<void>();
  peer.onLocalCandidate(
    (candidate, mid) =>
      void answered.promise.then(() =>
        operator.sendMessage('direct', { candidate: JSON.stringify({ candidate, mid }) }),
      ),
  );
  const channel = peer.createDataChannel(dataChannelLabel);
  channels.push(channel);
  const { answer } = await operator.until('direct', (message) => message.answer !== undefined);
  peer.setRemoteDescription(answer!, 'answer');
  answered.resolve();
  return channel;
}

interface OpeningChannel {
  operator: Operator;
  peer: PeerConnection;
  channel: DataChannel;
  timeoutMs: number;
}

/** Adds the device's candidates as they arrive, until the channel is open. */
async function waitUntilOpen({ operator, peer, channel, timeoutMs }: OpeningChannel): Promise<void> {
  let [known, trouble] = [0, ''];
  await eventually(
    () => {
      const offered = operator.messages('direct').flatMap((message) => message.candidate ?? []);
      try {
        for (; known < offered.length; known += 1) addCandidate(peer, offered[known]!);
      } catch (error) {
        // The library is not ready for it yet: the next poll retries.
        trouble ||= String(error);
      }
      const states = { peer: peer.state(), ice: peer.iceState() };
      return { isOpen: channel.isOpen(), ...states, known, offered, trouble };
    },
    ({ isOpen }) => isOpen,
    timeoutMs,
  );
}

function receiveFrames(operator: Operator, channel: DataChannel): void {
  const join = createReassembler(maxFrameBytes);
  const order = createFrameSequencer(operator.take, (why) => assert.fail(why));
  channel.onMessage((message) => {
    const frame = join(new Uint8Array(message as Buffer));
    assert.ok(frame !== 'wrong');
    if (frame) order.fromDirect(frame);
  });
  // Rejects if the switch never happens.
  operator
    .until('direct', (message) => message.moved === 'direct')
    .then(
      () => order.moved(),
      () => {},
    );
}

/**
 * Call this at the end where no agent of this process does: otherwise the library keeps the process running.
 */
export function closeDirectChannels(): void {
  cleanup();
  channels.length = 0;
}

function addCandidate(peer: PeerConnection, text: string): void {
  const { candidate, mid } = JSON.parse(text) as { candidate: string; mid: string };
  peer.addRemoteCandidate(candidate, mid);
}
