/** Runs the sessions of this device: opened by grants, several at a time, ended by number or all together. */
import type { Policy } from '@drawbridge/contract/policy';
import { isProblem } from '@drawbridge/contract/session/problem';
import type { RelayOffer, RoundTrip } from '@drawbridge/contract/session/round-trips';
import type { Grant } from '@drawbridge/contract/session/signed';
import type { CommandInput, CommandOutput } from '@drawbridge/contract/uplink/commands';
import { createClock } from '@drawbridge/session/clock';
import { createGrantReader, type GrantReader } from '@drawbridge/session/grant';
import { nodeCrypto, signingKeyOf } from '@drawbridge/session/node/crypto';
import { unloadDirect } from '@drawbridge/session/node/direct-peer';
import { createNodeEcho } from '@drawbridge/session/node/echo-socket';
import { openRelaySocket } from '@drawbridge/session/node/relay-socket';
import type { Clock } from '@drawbridge/session/ports';
import { createRelayMeasurements } from '@drawbridge/session/relay-measurements';
import type { ClientOptions } from 'ws';
import { isTrustedCertificate } from '../uplink/trust.ts';
import type { Approvals } from '../four-eyes/approvals.ts';
import { NotPossible, type Platform } from '../platform/platform.ts';
import { createParticipants, type Participants } from './participants.ts';
import { guardDesktops, type GuardedDesktops } from './guard-desktops.ts';
import { createNotice, type Notice } from './notice.ts';
import { tellBeforeShowing } from './tell-before-showing.ts';
import type { FeatureFactory } from './feature.ts';
import { startAgentSession } from './agent-session.ts';
import type { AgentSession } from './agent-session-state.ts';
import { whyForbidden } from './session-policy.ts';
import type { AgentSessionOptions } from './agent-session-options.ts';

export interface AgentSessions {
  /**
   * Connects to the operator of a grant and resolves before they are connected, with whether a second person must approve
   * the session; rejects with the reason for a refusal.
   */
  open(input: CommandInput<'session'>): Promise<CommandOutput<'session'>>;
  /** Ends a session that the server no longer allows; does nothing if it is not running. */
  end(session: number, message: string): void;
  /** Starts or stops the recording of a session; rejects with the reason for a refusal. */
  record(input: CommandInput<'session_record'>): Promise<void>;
  /** The round trips to those of these relays that answer and have a certificate that the device trusts. */
  measure(relays: readonly RelayOffer[]): Promise<RoundTrip[]>;
  /** Applies the policy of the device to the running sessions. */
  policyChanged(): void;
  /** Ends all sessions; resolves when everything they opened is closed. */
  stop(message: string): Promise<void>;
  /** Whether no operator is connected or connecting. */
  isIdle(): Promise<boolean>;
}

export interface AgentSessionsOptions {
  /** The keys of the device and of the server that signs its grants; read again for each session. */
  identity(): { publicKey: string; privateKey: string; serverKey: string };
  /** SHA-256 of the certificates to trust in addition to the public authorities, in base64url. */
  certificates(): readonly string[];
  /** The options with which to reach a relay through a proxy. */
  connect?(relay: string): ClientOptions | undefined;
  platform: Platform;
  /** The policy of the device; read again whenever it counts. */
  policy(): Policy;
  features: readonly FeatureFactory[];
  /** Absent where sessions never need a second person. */
  approvals?: Approvals;
  /** The number by which the account knows the device; 0 if it does not. */
  agentId?(): number;
  /** Unix time in seconds. */
  now(): number;
  clock?: Clock | undefined;
  log(line: string): void;
}

const maxSessions = 16;

/** What the server ended while a grant was read, which takes a moment. */
interface Opening {
  readonly ended: Set<number>;
  isStopped: boolean;
}

interface State {
  readonly options: AgentSessionsOptions;
  readonly running: Set<AgentSession>;
  /** One for each grant that is being read. */
  readonly opening: Set<Opening>;
  readonly grants: GrantReader;
  readonly participants: Participants;
  readonly notice: Notice;
  readonly desktops: GuardedDesktops;
  /** The platform for the features, which show no desktop without the banner. */
  readonly featurePlatform: Platform;
  readonly clock: Clock;
}

export function createAgentSessions(options: AgentSessionsOptions): AgentSessions {
  const desktops = guardDesktops(options.platform, options.policy);
  const notice = createNotice(desktops.platform, options.log);
  const state: State = {
    options,
    running: new Set(),
    opening: new Set(),
    grants: createGrantReader(nodeCrypto),
    participants: createParticipants(),
    notice,
    desktops,
    featurePlatform: tellBeforeShowing(desktops.platform, notice),
    clock: options.clock ?? createClock(),
  };
  const { measure } = createMeasurements(state);
  return {
    open: (input) => open(state, input),
    measure,
    end(session, message) {
      state.opening.forEach(({ ended }) => ended.add(session));
      endWhere(state, ({ number }) => number === session, message, false);
    },
    async record({ session: number, record }) {
      // While an operator reconnects, the earlier connection may still be closing.
      const session = [...state.running].findLast((each) => each.number === number);
      if (!session) throw new NotPossible('The session is over.');
      session.record(record);
    },
    policyChanged: () => [...state.running].forEach((session) => session.policyChanged()),
    async stop(message) {
      state.opening.forEach((opening) => void (opening.isStopped = true));
      endWhere(state, () => true, message, false);
      await Promise.all([...state.running].map(({ closed }) => closed));
      await unloadDirect();
    },
    isIdle: async () => state.running.size === 0 && state.opening.size === 0,
  };
}

const createMeasurements = ({ options, clock }: State) =>
  createRelayMeasurements(
    createNodeEcho({
      isTrusted: (socket) => isTrustedCertificate(socket, options.certificates()),
      socketOptions: (url) => options.connect?.(url),
    }),
    clock,
  );

const endWhere = (
  { running }: State,
  matches: (session: AgentSession) => boolean,
  message: string,
  back: boolean,
): void => [...running].filter(matches).forEach((session) => session.end('server', message, back));

async function open(state: State, input: CommandInput<'session'>): Promise<CommandOutput<'session'>> {
  const { grant: signedGrant, ticket, relay, onetime: isOnetime = false } = input;
  const { options, running, participants, notice, desktops, featurePlatform, clock } = state;
  const { publicKey, privateKey, serverKey } = options.identity();
  const grant = await readGrant(state, signedGrant, { serverKey, deviceKey: publicKey, now: options.now() });
  endWhere(state, ({ number }) => number === grant.session, 'The operator is reconnecting.', true);
  if (running.size >= maxSessions) throw new NotPossible('Too many operators are connected to this device.');
  if (!/^(https|wss):/.test(relay)) throw new NotPossible('The address of the relay must start with wss://.');
  const needsApproval = options.approvals?.isRequired() === true;
  const whyNot = whyForbidden(grant, isOnetime, options.policy()) ?? whyNotApproved(needsApproval, input);
  if (whyNot !== undefined) throw new NotPossible(whyNot);
  const certificates = options.certificates();
  const session = startAgentSession({
    grant,
    signedGrant,
    isOnetime,
    policy: options.policy,
    platform: desktops.platform,
    featurePlatform,
    isUntold: desktops.isUntold,
    features: options.features,
    participants,
    notice,
    log: options.log,
    openRelay: openRelayOf({ relay, ticket, certificates, socketOptions: options.connect?.(relay) }),
    recordingConnection: (url) => ({ certificates, options: options.connect?.(url) }),
    deviceKey: signingKeyOf(publicKey, privateKey),
    clock,
    approvals: options.approvals,
    agentId: options.agentId ?? (() => 0),
    now: options.now,
  });
  running.add(session);
  void session.closed.then(() => running.delete(session));
  return needsApproval && options.approvals?.isApproved(grant.session) !== true ? { approval: true } : {};
}

/** An earlier server could not tell anybody that an approval is awaited. */
const whyNotApproved = (needsApproval: boolean, { approvals }: CommandInput<'session'>): string | undefined =>
  needsApproval && approvals !== true
    ? 'This device needs the approval of a second person, which its server cannot pass on. Update the server.'
    : undefined;

/** Throws a sentence when the grant does not count, or its session was ended before it began. */
async function readGrant(
  { opening, grants }: State,
  signedGrant: string,
  expected: Parameters<GrantReader['read']>[1],
): Promise<Grant> {
  const current: Opening = { ended: new Set(), isStopped: false };
  opening.add(current);
  const grant = await grants.read(signedGrant, expected).finally(() => opening.delete(current));
  if (isProblem(grant)) throw new NotPossible(grant.message);
  if (current.isStopped || current.ended.has(grant.session)) throw new NotPossible('The session was ended.');
  return grant;
}

/** Connects to the relay with the trust of the uplink. */
const openRelayOf =
  ({ certificates, ...target }: RelayTarget): AgentSessionOptions['openRelay'] =>
  (listener) =>
    openRelaySocket(
      { ...target, isTrusted: (socket) => isTrustedCertificate(socket, certificates) },
      listener,
    );

interface RelayTarget {
  relay: string;
  ticket: string;
  certificates: readonly string[];
  socketOptions: ClientOptions | undefined;
}
