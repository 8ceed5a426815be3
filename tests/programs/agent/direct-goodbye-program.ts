/** Closes direct connections right after sending, and counts how often the last frame did not arrive. */
import { createReassembler, dataChannelLabel } from '@drawbridge/contract/session/direct';
import { maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';
import { openDirectPeer, unloadDirect } from '@drawbridge/session/node/direct-peer';
import { PeerConnection } from 'node-datachannel';

const rounds = 10;
const lastBytes = 300;
/** Held to the end: the library keeps pointers to what it was given. */
const held: unknown[] = [];

/** Whether the last frame arrives before the channel is closed. */
async function isLastReceived(): Promise<boolean> {
  const peer = new PeerConnection('operator', { iceServers: [] });
  const channel = peer.createDataChannel(dataChannelLabel);
  held.push(peer, channel);
  const received = Promise.withResolvers<boolean>();
  const answered = Promise.withResolvers<void>();
  // The library fails if candidates arrive before the answer or after the end. Others make up for one that fails.
  const afterAnswer = (work: () => void): void => void answered.promise.then(work).catch(() => {});
  const reassemble = createReassembler(maxFrameBytes);
  channel.onMessage((message) => {
    const frame = reassemble(new Uint8Array(message as Buffer));
    if (frame instanceof Uint8Array && frame.length === lastBytes) received.resolve(true);
  });
  channel.onClosed(() => received.resolve(false));
  const direct = await openDirectPeer([], {
    sendSignal({ answer, candidate }) {
      if (answer !== undefined) {
        peer.setRemoteDescription(answer, 'answer');
        answered.resolve();
      }
      if (candidate === undefined) return;
      const { candidate: line, mid } = JSON.parse(candidate) as { candidate: string; mid: string };
      afterAnswer(() => peer.addRemoteCandidate(line, mid));
    },
    onFrame() {},
    onLost() {},
  });
  peer.onLocalCandidate((candidate, mid) =>
    afterAnswer(() => direct.receiveSignal({ candidate: JSON.stringify({ candidate, mid }) })),
  );
  direct.receiveSignal({ offer: peer.localDescription()!.sdp });
  await direct.opened;
  direct.send(new Uint8Array(60_000));
  direct.send(new Uint8Array(lastBytes));
  direct.leave();
  const isReceived = await received.promise;
  peer.close();
  return isReceived;
}

let lost = 0;
for (let round = 0; round < rounds; round += 1) if (!(await isLastReceived())) lost += 1;
await unloadDirect();
console.log(`lost ${lost} of ${rounds}`);
process.exit(0);
