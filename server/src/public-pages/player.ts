/** The player of recordings: one page for every URL, and the data for people who may see the recording now. */
import { playerPaths, type RecordingIndex } from '@drawbridge/contract/session/player';
import {
  maySeeOnDevice,
  maySeeWithClient,
  parseRecordingAddress,
  recordingAddressPayload,
} from '../domain/sessions/recordings.ts';
import type { Actor } from '../domain/people/access.ts';
import { networkOf } from '../domain/networks.ts';
import { errorResponse, type PageRequest, type PageResponse, type Route } from '../http/route.ts';
import { createRateLimiter } from '../edges/rate-limiter.ts';
import type { RecordedSession, RecordedTake, RecordingKeys } from '../store/records.ts';
import type { Reads, BlobStore } from '../store/store.ts';
import { webAppCsp, type WebApp } from './web-app.ts';
import { timingSafeEqualText } from './timing-safe-equal.ts';

export interface PlayerDeps {
  store: Reads;
  blobs: Pick<BlobStore, 'open'>;
  app: WebApp;
  hmacOf(secret: string, text: string): string;
  deriveKey(keys: RecordingKeys, recordingKey: string): string | undefined;
}

interface VisibleRecording {
  session: RecordedSession;
  /** The name of the device or client, as far as this person may know it. */
  name: string;
}

const none = errorResponse(404, { code: 'not_found', message: 'There is no such recording.' });
const busy = errorResponse(429, {
  code: 'busy',
  message: 'There were too many tries. Wait a minute, then try again.',
});
const sameOriginOnly = { 'Cross-Origin-Resource-Policy': 'same-origin' };

/** Returns the recording of a URL, if the person for whom the URL was made may see it now. */
export async function findVisibleRecording(
  text: string,
  { store, hmacOf }: Pick<PlayerDeps, 'store' | 'hmacOf'>,
): Promise<VisibleRecording | undefined> {
  const address = parseRecordingAddress(text);
  if (!address) return undefined;
  const session = await store.recordings.session(address.session);
  // The seal is also computed for unknown recordings, so that both take the same time.
  const isRight = timingSafeEqualText(
    hmacOf(session?.secret ?? text, recordingAddressPayload(address)),
    address.seal,
  );
  if (!session || !isRight) return undefined;
  const actor = await store.actors.byId(session.accountId, address.member);
  const name = actor && (await nameFor(actor, session, store));
  return name === undefined ? undefined : { session, name };
}

async function nameFor(
  actor: Actor,
  { agentId, invitationId }: RecordedSession,
  store: Reads,
): Promise<string | undefined> {
  if (agentId !== null) {
    const agent = await store.agents.find(actor, { id: agentId });
    return agent && maySeeOnDevice(actor, agent) ? agent.name : undefined;
  }
  const invitation = await store.invitations.find(actor.accountId, invitationId ?? 0);
  if (!invitation || !maySeeWithClient(actor, invitation)) return undefined;
  return actor.owner && invitation.clientName !== '' ? invitation.clientName : 'Quick support';
}

const chunkView = ({ from, to, size, digest, whole }: RecordedTake['chunks'][number]) => ({
  from,
  to,
  size,
  digest: Buffer.from(digest, 'hex').toString('base64url'),
  whole,
});

export function playerRoutes(deps: PlayerDeps): Route[] {
  const failures = createRateLimiter({ perSecond: 0.2, burst: 20 });
  const dataRoute = (
    path: string,
    answer: (deps: PlayerDeps, recording: VisibleRecording, request: PageRequest) => Promise<PageResponse>,
  ): Route => ({
    method: 'GET',
    path: `${playerPaths.data}/:token${path}`,
    async handle(request) {
      const network = networkOf(request.address);
      if (!failures.allow(network)) return busy;
      const recording = await findVisibleRecording(request.params['token'] ?? '', deps);
      if (!recording) return none;
      failures.refund(network); // only failures count
      return answer(deps, recording, request);
    },
  });
  return [
    {
      method: 'GET',
      path: `${playerPaths.page}/:token`,
      handle: () => deps.app.page('player.html', webAppCsp()),
    },
    dataRoute('', answerIndex),
    dataRoute('/:take/:number', answerChunk),
  ];
}

async function answerIndex(
  { store, deriveKey }: PlayerDeps,
  { session, name }: VisibleRecording,
): Promise<PageResponse> {
  const { id, accountId, login: operator, start } = session;
  const keys = await store.recordings.keys(accountId);
  const takes = await store.recordings.takes(accountId, id);
  const body: RecordingIndex = {
    session: id,
    name,
    operator,
    start,
    takes: takes.flatMap((take) => {
      const key = keys && deriveKey(keys, take.publicKey);
      return key === undefined
        ? []
        : { id: take.id, key, complete: take.complete, chunks: take.chunks.map(chunkView) };
    }),
  };
  const type = 'application/json; charset=utf-8';
  return { http: 200, type, body: JSON.stringify(body), headers: sameOriginOnly };
}

async function answerChunk(
  { store, blobs }: PlayerDeps,
  { session: { id: sessionId, accountId } }: VisibleRecording,
  { params }: PageRequest,
): Promise<PageResponse> {
  const [takeId, number] = [Number(params['take']), Number(params['number'])];
  if (!Number.isSafeInteger(takeId) || !Number.isSafeInteger(number)) return none;
  const found = await store.recordings.chunk(accountId, { sessionId, takeId, number });
  const bytes = found && (await blobs.open(accountId, found.blobKey, found.size));
  if (!bytes) return none;
  return {
    http: 200,
    type: 'application/octet-stream',
    body: bytes.read(0, found.size - 1),
    pool: 'answers',
    headers: { ...sameOriginOnly, 'Content-Length': String(found.size) },
  };
}
