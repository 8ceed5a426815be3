/** A device of a later version: it sends the cursor as a kind of frame that this version does not know. */
import type { CommandInput } from '@drawbridge/contract/uplink/commands';
import { frameKindOf, sessionPermissions } from '@drawbridge/contract/session/frame-kinds';
import { createClock } from '@drawbridge/session/clock';
import { startDeviceSession, type DeviceConnection } from '@drawbridge/session/device';
import { nodeCrypto, signingKeyOf } from '@drawbridge/session/node/crypto';
import { openRelaySocket } from '@drawbridge/session/node/relay-socket';
import type { FrameKey, SessionCrypto } from '@drawbridge/session/ports';
import { parseGrant } from '../../kit/session/session-ends.ts';
import type { SessionFixture } from '../../kit/session/session-fixture.ts';

const unknownByte = 0xee;

const laterCrypto: SessionCrypto = {
  ...nodeCrypto,
  importFrameKey(bytes) {
    const key = nodeCrypto.importFrameKey(bytes) as FrameKey;
    const laterByteOf = (byte: number): number => (frameKindOf(byte) === 'cursor' ? unknownByte : byte);
    return { ...key, seal: (nonce, byte, payload) => key.seal(nonce, laterByteOf(byte), payload) };
  },
};

/** Connects to the operator of a grant, and calls back when the session is live. */
export function startLaterDevice(
  { deviceKey }: SessionFixture,
  { grant: signedGrant, ticket, relay }: CommandInput<'session'>,
  onLive: (connection: DeviceConnection) => void,
): void {
  const permissions = new Set<string>(sessionPermissions);
  const about = { message: '', unable: {}, recording: false, os: 'linux', home: '/' } as const;
  const connection = startDeviceSession(
    {
      grant: parseGrant(signedGrant),
      signedGrant,
      deviceKey: signingKeyOf(deviceKey.publicKey, deviceKey.privateKey),
      crypto: laterCrypto,
      clock: createClock(),
      openRelay: (listener) => openRelaySocket({ relay, ticket, isTrusted: () => true }, listener),
      permissions: () => permissions,
    },
    {
      onOpen() {
        connection.sendState({ ...about, phase: 'live', permissions: [...permissions] });
        onLive(connection);
      },
      onFrame: () => {},
      onForbidden: () => {},
      onEnd: () => {},
    },
  );
}
