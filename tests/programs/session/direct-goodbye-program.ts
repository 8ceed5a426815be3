/** Closes direct connections right after sending, and counts how often the last frame did not arrive. */
import { createReassembler, dataChannelLabel } from '@drawbridge/contract/session/direct';
import { maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';
import { openDirectPeer, unloadDirect } from '@drawbridge/session/node/direct-peer';
import type { DirectPeer } from '@drawbridge/session/transport-switch';
import { PeerConnection, type DataChannel } from 'node-datachannel';

const rounds = 10;
const lastBytes = 300;
/** Held to the end: the library keeps pointers to what it was given. */
const held: unknown[] = [];

/** Whether the last frame arrives before the channel is closed. */
async function isLastReceived(): Promise<boolean> {
  const peer = new PeerConnection('operator', { iceServers: [] });
  const direct = await connect(peer);
  const channel = peer.createDataChannel(dataChannelLabel);
  held.push(peer, channel);
  const received = isFrameReceived(channel);
  await direct.opened;
  direct.send(new Uint8Array(60_000));
  direct.send(new Uint8Array(lastBytes));
  direct.leave();
  const isReceived = await received;
  peer.close();
  return isReceived;
}

/**
 * Passes the signals between the operator's end and the device's. Candidates wait for the answer: the library fails
 * if the device connects, or a candidate arrives, before the answer is set.
 */
async function connect(peer: PeerConnection): Promise<DirectPeer> {
  const answered = Promise.withResolvers<void>();
  const direct = await openDirectPeer([], {
    sendSignal({ answer, candidate }) {
      if (answer !== undefined) {
        peer.setRemoteDescription(answer, 'answer');
        answered.resolve();
      }
      if (candidate === undefined) return;
      const { candidate: line, mid } = JSON.parse(candidate) as { candidate: string; mid: string };
      // After the end the library takes no more candidates.
      void answered.promise.then(() => peer.addRemoteCandidate(line, mid)).catch(() => {});
    },
    onFrame() {},
    onLost() {},
  });
  peer.onLocalDescription((offer, type) => void (type === 'offer' && direct.receiveSignal({ offer })));
  peer.onLocalCandidate(
    (candidate, mid) =>
      void answered.promise.then(() =>
        direct.receiveSignal({ candidate: JSON.stringify({ candidate, mid }) }),
      ),
  );
  return direct;
}

/** Resolves to whether the last frame came before the end. */
function isFrameReceived(channel: DataChannel): Promise<boolean> {
  const received = Promise.withResolvers<boolean>();
  const reassemble = createReassembler(maxFrameBytes);
  channel.onMessage((message) => {
    const frame = reassemble(new Uint8Array(message as Buffer));
    if (frame instanceof Uint8Array && frame.length === lastBytes) received.resolve(true);
  });
  channel.onClosed(() => received.resolve(false));
  return received.promise;
}

let lost = 0;
for (let round = 0; round < rounds; round += 1) if (!(await isLastReceived())) lost += 1;
await unloadDirect();
console.log(`lost ${lost} of ${rounds}`);
process.exit(0);
