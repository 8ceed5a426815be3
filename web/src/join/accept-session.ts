/** The device's side of a session in a browser: the client of an invitation shares a screen with an operator. */
import { frameKinds } from '@drawbridge/contract/session/frame-kinds';
import type { Grant } from '@drawbridge/contract/session/signed';
import { browserCrypto } from '@drawbridge/session/browser/crypto';
import { openRelaySocket } from '@drawbridge/session/browser/relay-socket';
import { startDeviceSession, type DeviceConnection, type Goodbye } from '@drawbridge/session/device';
import { createEmitter, type Emitter } from '@drawbridge/session/emitter';
import { createGrantReader } from '@drawbridge/session/grant';
import type { Clock, SigningKey } from '@drawbridge/session/ports';
import { createProblem, isProblem, type SessionProblem } from '@drawbridge/contract/session/problem';
import { sanitizePayload } from '../ui/sanitize-payload.ts';

/** The session with one operator. Its owner asks for consent and sends the state. */
export interface DeviceSession
  extends Pick<Emitter, 'on'>, Pick<DeviceConnection, 'send' | 'sendState' | 'drained'> {
  readonly grant: Grant;
  readonly code: string;
  /** How often the operator tried what the grant does not allow. */
  readonly refusals: number;
  end(message: string, by?: 'device' | 'fault'): void;
  /** Ends the connection; the client continues the session with the program. */
  interrupt(message: string): void;
  /** Resolves when the session is over. */
  readonly ended: Promise<Goodbye>;
}

export interface SessionRequest {
  grant: string;
  ticket: string;
  relay: string;
}

export interface AcceptSessionOptions {
  key: SigningKey;
  /** The Ed25519 key of the server, from the lobby. */
  serverKey: string;
  clock: Clock;
}

/** A session that must be recorded is not shown by a device that cannot record it. */
const cannotRecord =
  'This session has to be recorded, and a browser cannot do that. Ask the client to run the program instead.';

const grants = createGrantReader(browserCrypto);

/** Resolves when the operator has proved that it holds the key of the grant. */
export async function acceptSession(
  request: SessionRequest,
  options: AcceptSessionOptions,
): Promise<DeviceSession | SessionProblem> {
  const { key, serverKey } = options;
  const now = Date.now() / 1_000;
  const grant = await grants.read(request.grant, { serverKey, deviceKey: key.publicKey, now });
  if (isProblem(grant)) return grant;
  const opened = Promise.withResolvers<DeviceSession | SessionProblem>();
  startSession(grant, request, options, (session) =>
    grant.record ? session.end(cannotRecord) : opened.resolve(session),
  ).then(({ message }) => opened.resolve(createProblem('broken', message)), opened.reject);
  return opened.promise;
}

/** Resolves with the end of the session. */
function startSession(
  grant: Grant,
  request: SessionRequest,
  { key, clock }: AcceptSessionOptions,
  onOpen: (session: DeviceSession) => void,
): Promise<Goodbye> {
  const emitter = createEmitter();
  const ended = Promise.withResolvers<Goodbye>();
  const permissions = new Set(grant.permissions);
  let refusals = 0;
  const connection = startDeviceSession(
    {
      grant,
      signedGrant: request.grant,
      deviceKey: key,
      crypto: browserCrypto,
      clock,
      openRelay: (listener) => openRelaySocket(request, listener),
      permissions: () => permissions,
    },
    {
      onOpen: (code) =>
        onOpen(
          toSession({ grant, code, connection, emitter, ended: ended.promise, refusals: () => refusals }),
        ),
      onFrame: (kind, payload) => emitter.emit(kind, sanitizePayload(kind, payload)),
      onForbidden(kind) {
        refusals += 1;
        const message = `This session does not allow ${frameKinds[kind].permission}.`;
        connection.send('refused', { kind, message });
      },
      onEnd: ended.resolve,
    },
  );
  return ended.promise;
}

interface SessionParts {
  grant: Grant;
  code: string;
  connection: DeviceConnection;
  emitter: Emitter;
  ended: Promise<Goodbye>;
  refusals(): number;
}

const toSession = ({ grant, code, connection, emitter, ended, refusals }: SessionParts): DeviceSession => ({
  grant,
  code,
  get refusals() {
    return refusals();
  },
  on: emitter.on,
  send: connection.send,
  sendState: connection.sendState,
  drained: connection.drained,
  end: (message, by = 'device') => connection.end({ by, message, back: false }),
  interrupt: (message) => connection.end({ by: 'device', message, back: true }),
  ended,
});
