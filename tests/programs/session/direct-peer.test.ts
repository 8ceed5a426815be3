/** A browser's end of a direct connection: an upload never waits for a connection that is closed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DirectPeer } from '@drawbridge/session/transport-switch';

class FakeChannel extends EventTarget {
  readyState = 'open';
  bufferedAmount = 1_024 * 1_024;
}

/** As a browser does, it fires no event for a close of its own. */
class FakePeerConnection extends EventTarget {
  static channel = new FakeChannel();
  createDataChannel = (): FakeChannel => (FakePeerConnection.channel = new FakeChannel());
  createOffer = async () => ({ type: 'offer', sdp: 'offer' });
  setLocalDescription = async (): Promise<void> => {};
  close = (): void => {};
}

const open = async (): Promise<DirectPeer> => {
  Object.assign(globalThis, { RTCPeerConnection: FakePeerConnection });
  const { openDirectPeer } = await import('@drawbridge/session/browser/direct-peer');
  return openDirectPeer!([], { sendSignal: () => {}, onFrame: () => {}, onLost: () => {} });
};

const releases: Record<string, (peer: DirectPeer) => void> = {
  'this side closes': (peer) => peer.close(),
  'this side leaves': (peer) => peer.leave(),
  'the other side closes': () => FakePeerConnection.channel.dispatchEvent(new Event('close')),
  'the buffer is nearly empty': () =>
    FakePeerConnection.channel.dispatchEvent(new Event('bufferedamountlow')),
};

for (const [name, release] of Object.entries(releases))
  test(`waiting ends when ${name}`, async () => {
    const peer = await open();
    let isReleased = false;

    const drained = peer.drained().then(() => (isReleased = true));
    await new Promise(setImmediate);
    assert.equal(isReleased, false);
    release(peer);

    await drained;
  });
