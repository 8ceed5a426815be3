/** How a session is opened with a link, and come back to after a cut. */
import { isFault } from '@drawbridge/contract/faults';
import { parseAs } from '@drawbridge/contract/parse';
import type { OpenReply, OpenRefusal } from '@drawbridge/contract/session/open';
import { deviceText } from '@drawbridge/contract/uplink/facts';
import type { Geo } from '../domain/agents.ts';
import { isPastResume, narrowPermissions } from '../domain/sessions.ts';
import type { Bus } from '../bus/bus.ts';
import type { Store } from '../store/store.ts';
import { toSessionAuditLine, type ActiveSession, type ActiveSessions } from './active-sessions.ts';
import type { SessionDispatcher } from './session-dispatcher.ts';
import type { RecordingGrants } from './recording-grants.ts';
import { isRefusal, refusals } from './refusals.ts';
import { rightsOf, type SessionBinding, type SessionRights } from './rights.ts';
import type { Signer } from './signer.ts';

/** Who knocks. */
export interface SessionRequester {
  address: string;
  userAgent: string;
}

export interface SessionOpener {
  /** Uses up a link. */
  open(request: { code: string; key: string }, requester: SessionRequester): Promise<OpenReply | OpenRefusal>;
  resume(
    request: { session: number; secret: string; key: string },
    requester: SessionRequester,
  ): Promise<OpenReply | OpenRefusal>;
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
  /** Where this node's relay is. */
  relayUrl(): string;
}

/** Where nodes tell each other that a session goes on at another. */
export const sessionResumedSubject = 'sessions.resumed';

const userAgentText = deviceText(512);

export function createSessionOpener(deps: SessionOpenerDeps): SessionOpener {
  const { store, sessions, signer, digestOf, invitationLifetime } = deps;
  const rights = (binding: SessionBinding) =>
    rightsOf(binding, { store, now: store.now, invitationLifetime });

  /** How the attempt ended stands in the audit log of the account. */
  async function writeAudit(
    binding: SessionBinding,
    operation: string,
    address: string,
    outcome = 'done',
  ): Promise<void> {
    const { accountId, memberId, agentId, invitationId, origin } = binding;
    const actor = memberId === null ? undefined : await store.actors.byId(accountId, memberId);
    const who = { accountId, memberId, login: actor?.email ?? '', operator: { name: '', address } };
    const input = { door: origin, agent_id: agentId ?? undefined, support_id: invitationId ?? undefined };
    await store.change('audit/append', { accountId, outcome }, toSessionAuditLine(who, operation, input));
  }

  /** What has to be recorded does not begin where there is no room for it. */
  const checkStorage = async (
    { accountId, record }: { accountId: number; record: boolean },
    granted: SessionRights | OpenRefusal,
  ): Promise<SessionRights | OpenRefusal> =>
    record && !isRefusal(granted) && (await deps.recording.isStorageFull(accountId))
      ? refusals.full
      : granted;

  /** Brings the two sides together: holds the session, and sends the device to the relay. */
  async function connect(session: ActiveSession, granted: SessionRights): Promise<OpenRefusal | undefined> {
    sessions.add(session);
    const refused = await deps.dispatcher.send(session, granted.device.key);
    // An operator may wait for the client of an invitation, but not for a device.
    return session.agentId === null ? undefined : refused;
  }

  const toOpened = (session: ActiveSession, secret: string, { device }: SessionRights): OpenReply => ({
    session: session.id,
    secret,
    ticket: signer.ticket('operator', session),
    relay: deps.relayUrl(),
    pair: session.pair,
    server_key: signer.publicKey,
    device,
    permissions: [...session.permissions],
    record: session.recorded,
    name: session.operator.name,
  });

  const toActiveSession = (
    binding: SessionBinding & { record: boolean },
    id: number,
    granted: SessionRights,
    by: { key: string; address: string },
  ): ActiveSession => ({
    accountId: binding.accountId,
    memberId: binding.memberId,
    agentId: binding.agentId,
    invitationId: binding.invitationId,
    origin: binding.origin,
    id,
    pair: signer.pair(),
    operatorKey: by.key,
    operator: { name: granted.name, address: by.address },
    permissions: granted.permissions,
    confirm: granted.confirm,
    login: granted.login,
    recorded: binding.record,
    openedAt: performance.now(),
    paired: false,
    client: '',
  });

  async function start(
    link: SessionBinding & { record: boolean },
    granted: SessionRights,
    { address, userAgent }: SessionRequester,
    secretDigest: string,
  ): Promise<number> {
    const { accountId, memberId, agentId, invitationId, origin, record } = link;
    const { id } = await store.change('sessions/start', {
      accountId,
      memberId,
      agentId,
      invitationId,
      start: store.now(),
      login: granted.login,
      userAgent: parseAs(userAgentText, userAgent).data ?? '',
      geo: deps.geoOf(address),
      opening: { origin, permissions: granted.permissions, secretDigest, record },
    });
    return id;
  }

  return {
    async open({ code, key }, requester) {
      const { address } = requester;
      const link = await store.change('links/consume', { digest: digestOf(code) });
      if (isFault(link)) return refusals.used;
      const binding = {
        ...link,
        record: link.video ?? (await store.accounts.settings(link.accountId)).record,
      };
      const granted = await checkStorage(binding, await rights(link));
      if (isRefusal(granted)) {
        await writeAudit(link, 'session/open', address, granted.code);
        return granted;
      }
      const secret = deps.random.token();
      const id = await start(binding, granted, requester, digestOf(secret));
      const session = toActiveSession(binding, id, granted, { key, address });
      const refused = await connect(session, granted);
      if (refused) sessions.end(session, 'device', refused.message);
      await writeAudit(link, 'session/open', address, refused?.code);
      return refused ?? toOpened(session, secret, granted);
    },

    async resume({ session: id, secret, key }, { address }) {
      const before = await store.sessions.bySecret(id, digestOf(secret));
      if (!before || isPastResume(before.stop, store.now())) return refusals.ended;
      const current = await checkStorage(before, await rights(before));
      const granted = isRefusal(current)
        ? current
        : { ...current, permissions: narrowPermissions(before.permissions, current.permissions) };
      if (isRefusal(granted)) {
        // A device that is offline may be back in a moment; that is asked for again and again.
        if (granted.code !== 'offline') await writeAudit(before, 'session/resume', address, granted.code);
        return granted;
      }
      const { accountId } = before;
      const { permissions } = granted;
      const outcome = await store.change('sessions/resume', { accountId, id, permissions });
      if (isFault(outcome)) return refusals.ended;
      const session = toActiveSession(before, id, granted, { key, address });
      sessions.replace(id, session.pair);
      deps.bus.publish(sessionResumedSubject, { id, pair: session.pair });
      const refused = await connect(session, granted);
      if (refused) sessions.onEnd({ ...neverPaired, pair: session.pair });
      await writeAudit(before, 'session/resume', address, refused?.code);
      return refused ?? toOpened(session, secret, granted);
    },
  };
}

/** A pairing that nobody came to; its operator may try again. */
const neverPaired = {
  bytesToOperator: 0,
  bytesToDevice: 0,
  directBytes: 0,
  by: 'fault',
  code: 1_006,
} as const;
