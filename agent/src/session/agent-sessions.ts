/** The sessions of this device: begun by grants, several at a time, ended by number or all together. */
import type { CommandInput } from '@drawbridge/contract/uplink/commands';
import type { ClientOptions } from 'ws';
import { NotPossible, type Platform } from '../platform/platform.ts';
import { createParticipants } from './participants.ts';
import { unloadDirectTransport } from './direct-transport.ts';
import { createGrantReader } from './grant.ts';
import { createNotice } from './notice.ts';
import type { FeatureFactory } from './feature.ts';
import { startAgentSession, type AgentSession } from './agent-session.ts';

export interface AgentSessions {
  /** Meets the operator of a grant; throws a sentence when the grant does not count. It answers before they have met. */
  open(input: CommandInput<'session'>): void;
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
  log(line: string): void;
}

const maxSessions = 16;

export function createAgentSessions(options: AgentSessionsOptions): AgentSessions {
  const { platform, features, log } = options;
  const running = new Set<AgentSession>();
  const [grants, participants, notice] = [
    createGrantReader(),
    createParticipants(),
    createNotice(platform, log),
  ];
  const endWhere = (fits: (session: AgentSession) => boolean, message: string, back: boolean): void =>
    [...running].filter(fits).forEach((session) => session.end('server', message, back));

  return {
    open({ grant: signedGrant, ticket, relay }) {
      const { publicKey, privateKey, serverKey } = options.identity();
      const grant = grants.read(signedGrant, { serverKey, deviceKey: publicKey, now: options.now() });
      if (typeof grant === 'string') throw new NotPossible(grant);
      endWhere(({ number }) => number === grant.session, 'The operator is reconnecting.', true);
      if (running.size >= maxSessions)
        throw new NotPossible('Too many operators are connected to this device.');
      const certificates = options.certificates();
      const session = startAgentSession({
        grant,
        signedGrant,
        platform,
        features,
        participants,
        notice,
        log,
        relayTarget: { relay, ticket, certificates, options: options.connect?.(relay) },
        recordingConnection: { certificates, options: options.connect?.(grant.record?.url ?? relay) },
        devicePrivateKey: privateKey,
      });
      running.add(session);
      void session.closed.then(() => running.delete(session));
    },
    end: (session, message) => endWhere(({ number }) => number === session, message, false),
    async stop(message) {
      endWhere(() => true, message, false);
      await Promise.all([...running].map(({ closed }) => closed));
      await unloadDirectTransport();
    },
  };
}
