/** Opens sessions with links, and resumes them after the connection was cut. */
import { leaveCodes } from '@drawbridge/contract/close-codes';
import { isFault } from '@drawbridge/contract/faults';
import { parseAs } from '@drawbridge/contract/parse';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { isProblem, type OpeningProblem } from '@drawbridge/contract/session/problem';
import type { RoundTrip } from '@drawbridge/contract/session/round-trips';
import { deviceText } from '@drawbridge/contract/uplink/facts';
import type { Geo } from '../domain/devices/agents.ts';
import { isRecorded } from '../domain/sessions/links.ts';
import { isPastResume, narrowPermissions } from '../domain/sessions/sessions.ts';
import type { Bus } from '../bus/bus.ts';
import type { Store } from '../store/store.ts';
import type { ActiveSession, ActiveSessions } from './active-sessions.ts';
import { grantRights, toActiveSession, type GrantedSession } from './granted-session.ts';
import type { SessionDispatcher } from './session-dispatcher.ts';
import type { RecordingGrants } from './recording-grants.ts';
import { announceWaiting, auditSession } from './session-audit.ts';
import { mayRecord } from './session-recordings.ts';
import { isUnasked, refusals } from './refusals.ts';
import type { SessionBinding, SessionRights } from './rights.ts';
import type { ChooseRelay } from './session-relay.ts';
import type { Signer } from './signer.ts';

/** The browser that asks for a session. */
export interface SessionRequester {
  address: string;
  userAgent: string;
}

interface SessionKey {
  /** The key of the operator's side. */
  key: string;
  round_trips?: RoundTrip[] | undefined;
}

export interface SessionOpener {
  /** Uses up the link, unless the device cannot be asked, for a few times. */
  open(
    request: { code: string } & SessionKey,
    requester: SessionRequester,
  ): Promise<OpenReply | OpeningProblem>;
  resume(
    request: { session: number; secret: string } & SessionKey,
    requester: SessionRequester,
  ): Promise<OpenReply | OpeningProblem>;
}

export interface SessionOpenerDeps {
  store: Store;
  bus: Bus;
  sessions: ActiveSessions;
  dispatcher: SessionDispatcher;
  signer: Signer;
  recording: Pick<RecordingGrants, 'isStorageFull'>;
  random: { token(): string };
  digestOf(secret: string): string;
  geoOf(address: string): Geo;
  invitationLifetime: number;
  chooseRelay: ChooseRelay;
  /** The URL of this node's relay. */
  relayUrl(): string;
  /** Whether a link whose device was not asked may be used again: see `linkReturnLimit`. */
  mayReturn(digest: string): boolean;
  /** Whether the server is stopping: sessions are then opened and resumed at another node, or later. */
  isDraining(): boolean;
}

/** On this subject nodes announce that a session was resumed at them. */
export const sessionResumedSubject = 'sessions.resumed';

const userAgentText = deviceText(512);

/** A pairing that no side joined; the operator may try again. */
const neverPaired = {
  bytesToOperator: 0,
  bytesToDevice: 0,
  directBytes: 0,
  by: 'fault',
  code: leaveCodes.lost,
} as const;

/** How often a link may be returned. Each use leaves a line in the audit log, so in the end a device that stays away uses it up. */
export const linkReturnLimit = { perSecond: 1 / 60, burst: 10 };

export const createSessionOpener = (deps: SessionOpenerDeps): SessionOpener => ({
  open: (request, requester) => open(deps, request, requester),
  resume: (request, requester) => resume(deps, request, requester),
});

async function open(
  deps: SessionOpenerDeps,
  { code, ...request }: Parameters<SessionOpener['open']>[0],
  requester: SessionRequester,
): Promise<OpenReply | OpeningProblem> {
  if (deps.isDraining()) return refusals.stopping;
  const { store } = deps;
  const digest = deps.digestOf(code);
  const link = await store.change('links/consume', { digest });
  if (isFault(link)) return refusals.used;
  const account = await store.accounts.settings(link.accountId);
  const granted = await grantRights(deps, link, ({ recording }) => isRecorded(link, account, recording));
  const opened = isProblem(granted)
    ? granted
    : await openGranted(deps, link, granted, { ...request, ...requester });
  const refused = isProblem(opened) ? opened : undefined;
  // Its session has ended by now, so the link is never used for two.
  if (refused && isUnasked(refused) && deps.mayReturn(digest)) await store.change('links/return', { digest });
  const { address } = requester;
  await auditSession(store, link, { operation: 'session/open', address, outcome: refused?.code });
  return opened;
}

/** A session that is refused has ended when this resolves. */
async function openGranted(
  deps: SessionOpenerDeps,
  link: SessionBinding,
  granted: GrantedSession,
  { key, round_trips: roundTrips, ...requester }: SessionKey & SessionRequester,
): Promise<OpenReply | OpeningProblem> {
  const { sessions, digestOf } = deps;
  const secret = deps.random.token();
  const pair = deps.signer.pair();
  const id = await start(deps, link, granted, { ...requester, secretDigest: digestOf(secret), pair });
  const session = toActiveSession({ ...link, id, pair }, granted, { key, address: requester.address });
  const refused = await connect(deps, session, granted, roundTrips);
  if (refused) sessions.end(session, 'device', refused.message);
  return refused ?? toReply(deps, session, secret, granted);
}

async function resume(
  deps: SessionOpenerDeps,
  { session: id, secret, key, round_trips: roundTrips }: Parameters<SessionOpener['resume']>[0],
  { address }: SessionRequester,
): Promise<OpenReply | OpeningProblem> {
  if (deps.isDraining()) return refusals.stopping;
  const { store, sessions } = deps;
  const before = await store.sessions.bySecret(id, deps.digestOf(secret));
  if (!before || isPastResume(before.stop, store.now())) return refusals.ended;
  const current = await grantRights(deps, before, ({ recording }) =>
    isRecorded({ video: before.record }, before, recording),
  );
  if (isProblem(current)) {
    // The page keeps asking while the device is offline, which would fill the audit log.
    if (current.code !== 'offline')
      await auditSession(store, before, { operation: 'session/resume', address, outcome: current.code });
    return current;
  }
  const permissions = narrowPermissions(before.permissions, current.permissions);
  const granted = { ...current, permissions };
  const pair = deps.signer.pair();
  const { accountId } = before;
  const outcome = await store.change('sessions/resume', { accountId, id, permissions, holder: pair });
  if (isFault(outcome)) return refusals.ended;
  const session = toActiveSession({ ...before, id, pair }, granted, { key, address });
  sessions.replace(id, pair);
  deps.bus.publish(sessionResumedSubject, { id, pair });
  const refused = await connect(deps, session, granted, roundTrips);
  if (refused) sessions.onEnd({ ...neverPaired, pair });
  await auditSession(store, before, { operation: 'session/resume', address, outcome: refused?.code });
  return refused ?? toReply(deps, session, secret, granted);
}

/** Stores a new session; resolves to its number. */
async function start(
  { store, geoOf }: SessionOpenerDeps,
  { accountId, memberId, agentId, invitationId, origin, signIn }: SessionBinding,
  granted: GrantedSession,
  { address, userAgent, secretDigest, pair }: SessionRequester & { secretDigest: string; pair: string },
): Promise<number> {
  const { id } = await store.change('sessions/start', {
    accountId,
    memberId,
    agentId,
    invitationId,
    start: store.now(),
    login: granted.login,
    reason: granted.reason,
    userAgent: parseAs(userAgentText, userAgent).data ?? '',
    geo: geoOf(address),
    signIn,
    opening: { origin, permissions: granted.permissions, secretDigest, record: granted.record, holder: pair },
  });
  return id;
}

/** Connects the two sides: registers the session and sends the device to the nearest relay. */
async function connect(
  deps: SessionOpenerDeps,
  session: ActiveSession,
  granted: SessionRights,
  roundTrips: readonly RoundTrip[] = [],
): Promise<OpeningProblem | undefined> {
  session.remote = await deps.chooseRelay(session, roundTrips);
  deps.sessions.add(session);
  const refused = await deps.dispatcher.send(session, granted.device.key);
  if (session.awaitsApproval) await announceWaiting(deps.store, session);
  // An operator may wait for the client of an invitation, but not for a device.
  return session.agentId === null ? undefined : refused;
}

const toReply = (
  { signer, relayUrl }: SessionOpenerDeps,
  session: ActiveSession,
  secret: string,
  { device, policy }: SessionRights,
): OpenReply => ({
  session: session.id,
  secret,
  ticket: signer.ticket('operator', session),
  relay: session.remote?.url ?? relayUrl(),
  pair: session.pair,
  server_key: signer.publicKey,
  device,
  permissions: [...session.permissions],
  record: session.recorded,
  may_record: mayRecord({ ...session, record: session.recorded }, policy),
  name: session.operator.name,
});
