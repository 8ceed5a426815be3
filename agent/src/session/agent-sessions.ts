/** The sessions of this device: begun by grants, several at a time, ended by number or all together. */
import type { CommandInput } from '@drawbridge/contract/uplink/commands';
import { createClock } from '@drawbridge/session/clock';
import { createGrantReader } from '@drawbridge/session/grant';
import { nodeCrypto, signingKeyOf } from '@drawbridge/session/node/crypto';
import { unloadDirect } from '@drawbridge/session/node/direct-peer';
import { openRelaySocket } from '@drawbridge/session/node/relay-socket';
import type { Clock } from '@drawbridge/session/ports';
import type { ClientOptions } from 'ws';
import { isTrustedCertificate } from '../uplink/trust.ts';
import { NotPossible, type Platform } from '../platform/platform.ts';
import { createParticipants } from './participants.ts';
import { createNotice } from './notice.ts';
import type { FeatureFactory } from './feature.ts';
import { startAgentSession, type AgentSession } from './agent-session.ts';

export interface AgentSessions {
  /** Meets the operator of a grant; throws a sentence when the grant does not count. It answers before they have met. */
  open(input: CommandInput<'session'>): Promise<void>;
  /** Ends a session, if it is there, because the server does not allow it any more. */
  end(session: number, message: string): void;
  /** Ends all; resolves when everything they opened is closed. */
  stop(message: string): Promise<void>;
}

export interface AgentSessionsOptions {
  /** Who the device is, and the server whose grants count; asked anew for each session. */
  identity(): { publicKey: string; privateKey: string; serverKey: string };
  /** SHA-256 of the certificates to believe beside those that everybody trusts, base64url. */
  certificates(): readonly string[];
  /** How to reach a relay where there is no straight way. */
  connect?(relay: string): ClientOptions | undefined;
  platform: Platform;
  features: readonly FeatureFactory[];
  /** Unix time in seconds. */
  now(): number;
  clock?: Clock | undefined;
  log(line: string): void;
}

const maxSessions = 16;

export function createAgentSessions(options: AgentSessionsOptions): AgentSessions {
  const { platform, features, log } = options;
  const clock = options.clock ?? createClock();
  const running = new Set<AgentSession>();
  const [grants, participants, notice] = [
    createGrantReader(nodeCrypto),
    createParticipants(),
    createNotice(platform, log),
  ];
  const endWhere = (fits: (session: AgentSession) => boolean, message: string, back: boolean): void =>
    [...running].filter(fits).forEach((session) => session.end('server', message, back));

  return {
    async open({ grant: signedGrant, ticket, relay }) {
      const { publicKey, privateKey, serverKey } = options.identity();
      const grant = await grants.read(signedGrant, { serverKey, deviceKey: publicKey, now: options.now() });
      if (typeof grant === 'string') throw new NotPossible(grant);
      endWhere(({ number }) => number === grant.session, 'The operator is reconnecting.', true);
      if (running.size >= maxSessions)
        throw new NotPossible('Too many operators are connected to this device.');
      if (!/^(https|wss):/.test(relay))
        throw new NotPossible('The address of the relay must start with wss://.');
      const certificates = options.certificates();
      const session = startAgentSession({
        grant,
        signedGrant,
        platform,
        features,
        participants,
        notice,
        log,
        openRelay: (listener) =>
          openRelaySocket(
            {
              relay,
              ticket,
              isTrusted: (socket) => isTrustedCertificate(socket, certificates),
              socketOptions: options.connect?.(relay),
            },
            listener,
          ),
        recordingConnection: { certificates, options: options.connect?.(grant.record?.url ?? relay) },
        deviceKey: signingKeyOf(publicKey, privateKey),
        clock,
      });
      running.add(session);
      void session.closed.then(() => running.delete(session));
    },
    end: (session, message) => endWhere(({ number }) => number === session, message, false),
    async stop(message) {
      endWhere(() => true, message, false);
      await Promise.all([...running].map(({ closed }) => closed));
      await unloadDirect();
    },
  };
}
