/** Small pictures of screens, for people who may see them now; a new one is taken while somebody looks. */
import { readPreviewInfo } from '@drawbridge/contract/images';
import { mayAgent } from '../domain/people/access.ts';
import { isOpen } from '../domain/support.ts';
import type { HandlerContext } from '../handlers/handler.ts';
import type { PageResponse, Route } from '../http/route.ts';
import { placeholderPreview } from './placeholder-preview.ts';
import { timingSafeEqualText } from './timing-safe-equal.ts';

const width = 320;
const freshMs = 5_000;
const maxCachedPictures = 500;

/** The last picture that the client of an invitation sent. */
export type ClientPicture = (invitationId: number) => Promise<{ type: string; picture: string } | undefined>;

/** Devices and clients are not trusted: only a small picture is passed on, with the type that its bytes have. */
function previewPage(picture: string): PageResponse {
  const body = Buffer.from(picture, 'base64');
  const found = readPreviewInfo(body);
  return found ? { http: 200, type: found.type, body, pool: 'answers' } : placeholderPreview;
}

interface State extends Pick<HandlerContext, 'store' | 'fleet' | 'hmacOf'> {
  clientPicture: ClientPicture;
  /** The last picture of each device. */
  cache: Map<number, { page: PageResponse; at: number }>;
}

export function previewRoutes(context: HandlerContext, clientPicture: ClientPicture): Route[] {
  const { store, fleet, hmacOf } = context;
  const state: State = { store, fleet, hmacOf, clientPicture, cache: new Map() };
  return [
    {
      method: 'GET',
      path: '/preview/:token',
      async handle({ params: { token = '' } }) {
        const clientPage = await findClientPage(state, token);
        if (clientPage) return clientPage;
        const agentId = await findVisibleDevice(state, token);
        return agentId === undefined ? { ...placeholderPreview, http: 404 } : devicePage(state, agentId);
      },
    },
  ];
}

/** Returns the device of a URL, if the person for whom the URL was made may see its screen now. */
async function findVisibleDevice({ store, hmacOf }: State, token: string): Promise<number | undefined> {
  const [, id = '', member = '', seal = ''] = /^(\d{1,16})\.(\d{1,16})\.([\w-]{22})$/.exec(token) ?? [];
  const known = id === '' ? undefined : await store.deviceIdentity.byId(Number(id));
  if (!known) return undefined;
  const viewer = { accountId: known.accountId, memberId: Number(member) };
  const agent = await store.agents.find(viewer, { id: known.id });
  if (!agent || !timingSafeEqualText(hmacOf(agent.secret, `preview:${member}`), seal)) return undefined;
  const actor = await store.actors.byId(viewer.accountId, viewer.memberId);
  return actor && mayAgent(actor, 'agent_preview', agent) ? agent.id : undefined;
}

async function devicePage({ fleet, cache }: State, agentId: number): Promise<PageResponse> {
  const known = cache.get(agentId);
  if (known && performance.now() - known.at < freshMs) return known.page;
  const answer = await fleet.command(agentId, 'preview', { width });
  const page =
    typeof answer === 'string' || 'refused' in answer ? placeholderPreview : previewPage(answer.done.picture);
  if (cache.size >= maxCachedPictures) cache.clear();
  cache.set(agentId, { page, at: performance.now() });
  return page;
}

/** Only people who see the invitation know the URL of its client's picture, and it shows a picture until the client leaves. */
async function findClientPage(
  { store, clientPicture }: State,
  token: string,
): Promise<PageResponse | undefined> {
  const [, id = ''] = /^(\d{1,16})-[\w-]{43}$/.exec(token) ?? [];
  const invitation = id === '' ? undefined : await store.invitations.byPreview(Number(id), token);
  if (!invitation) return undefined;
  if (!isOpen(invitation.status)) return placeholderPreview;
  const sent = await clientPicture(invitation.id);
  return sent ? previewPage(sent.picture) : placeholderPreview;
}
