/**
 * A direct connection with an unexpected channel; both are closed and garbage-collected before the library is
 * released.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { dataChannelLabel } from '@drawbridge/contract/session/direct';
import { openDirectPeer, unloadDirect } from '@drawbridge/session/node/direct-peer';
import { PeerConnection } from 'node-datachannel';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const peer = new PeerConnection('operator', { iceServers: [] });
/** Held to the end: the test is about the other side. */
const channels = ['other', dataChannelLabel].map((label) => peer.createDataChannel(label));

async function meet(): Promise<void> {
  const direct = await openDirectPeer([], {
    sendSignal({ answer, candidate }) {
      if (answer !== undefined) peer.setRemoteDescription(answer, 'answer');
      if (candidate === undefined) return;
      const { candidate: address, mid } = JSON.parse(candidate) as { candidate: string; mid: string };
      peer.addRemoteCandidate(address, mid);
    },
    onFrame() {},
    onLost() {},
  });
  const otherClosed = Promise.withResolvers<void>();
  channels[0]!.onClosed(() => otherClosed.resolve());
  peer.onLocalCandidate((candidate, mid) =>
    direct.receiveSignal({ candidate: JSON.stringify({ candidate, mid }) }),
  );
  direct.receiveSignal({ offer: peer.localDescription()!.sdp });
  await Promise.all([direct.opened, otherClosed.promise]);
  direct.close();
}

await meet();
for (let turns = 0; turns < 20; turns += 1) {
  collect();
  await turn();
}
await unloadDirect();
console.log(`let go of ${channels.length} channels`);
