/** The operator's end of a direct way to a device, as a console opens it beside the relay. */
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

/** A lost packet of the handshake is sent again after one, three, seven, fifteen and thirty-one seconds. */
const defaultTimeoutMs = 120_000;

/** The library keeps pointers to channels until they are closed: one that was collected before would crash `cleanup`. */
const channels: DataChannel[] = [];

/** It must be gone before the agent of the same process is: the library under both is let go then. */
export interface DirectChannel extends Disposable {
  /** Takes the way: the last word on the relay, then the rest on the direct way. */
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
  peer.onLocalDescription((sdp) => operator.say('direct', { offer: sdp }));
  // The device calls as soon as it knows where to. The library fails at a call that comes before the answer is set.
  const answered = Promise.withResolvers<void>();
  peer.onLocalCandidate(
    (candidate, mid) =>
      void answered.promise.then(() =>
        operator.say('direct', { candidate: JSON.stringify({ candidate, mid }) }),
      ),
  );
  const channel = peer.createDataChannel(dataChannelLabel);
  channels.push(channel);
  const { answer } = await operator.until('direct', (word) => word.answer !== undefined);
  peer.setRemoteDescription(answer!, 'answer');
  answered.resolve();
  let [known, trouble] = [0, ''];
  await eventually(
    () => {
      const offered = operator.words('direct').flatMap((word) => word.candidate ?? []);
      try {
        for (; known < offered.length; known += 1) addCandidate(peer, offered[known]!);
      } catch (error) {
        // The library is not ready for it yet: that is tried again.
        trouble ||= String(error);
      }
      return {
        isOpen: channel.isOpen(),
        peer: peer.state(),
        ice: peer.iceState(),
        known,
        offered,
        trouble,
      };
    },
    ({ isOpen }) => isOpen,
    timeoutMs,
  );
  const join = createReassembler(maxFrameBytes);
  const order = createFrameSequencer(operator.take, (why) => assert.fail(why));
  channel.onMessage((message) => {
    const frame = join(new Uint8Array(message as Buffer));
    assert.ok(frame !== 'wrong');
    if (frame) order.fromDirect(frame);
  });
  // Never, where the way is not taken.
  operator
    .until('direct', (word) => word.moved === 'direct')
    .then(
      () => order.moved(),
      () => {},
    );
  return {
    move() {
      operator.say('direct', { moved: 'direct' });
      operator.sendBy((frame) => fragmentFrame(frame).forEach((piece) => channel.sendMessageBinary(piece)));
    },
    [Symbol.dispose]: () => peer.close(),
  };
}

/** To be called when all is over where no agent of this process does it: the library would keep the process from ending. */
export function closeDirectChannels(): void {
  cleanup();
  channels.length = 0;
}

function addCandidate(peer: PeerConnection, text: string): void {
  const { candidate, mid } = JSON.parse(text) as { candidate: string; mid: string };
  peer.addRemoteCandidate(candidate, mid);
}
