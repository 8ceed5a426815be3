/** Small pictures of screens: for those only who may see them now, taken anew while somebody looks. */
import { readPreviewInfo } from '@drawbridge/contract/images';
import { mayAgent } from '../domain/access.ts';
import type { HandlerContext } from '../handlers/handler.ts';
import type { PageRequest, PageResponse, Route } from '../http/route.ts';
import { placeholderPreview } from './placeholder-preview.ts';
import { timingSafeEqualText } from './timing-safe-equal.ts';

const width = 320;
const freshMs = 5_000;
/** How many pictures are kept at hand. */
const maxCachedPictures = 500;

/** The last picture that the client of an invitation sent. */
export type ClientPicture = (invitationId: number) => Promise<{ type: string; picture: string } | undefined>;

/** What devices and clients send is what they say: only a small picture is passed on, and as what its bytes are. */
function previewPage(picture: string): PageResponse {
  const body = Buffer.from(picture, 'base64');
  const found = readPreviewInfo(body);
  return found ? { http: 200, type: found.type, body, pool: 'answers' } : placeholderPreview;
}

export function previewRoutes(
  { store, fleet, hmacOf }: HandlerContext,
  clientPicture: ClientPicture,
): Route[] {
  const kept = new Map<number, { page: PageResponse; at: number }>();

  /** The device of the address, if it was made for somebody who may see the picture now. */
  async function seenBy({ params }: PageRequest): Promise<number | undefined> {
    const [, id = '', member = '', seal = ''] =
      /^(\d{1,16})\.(\d{1,16})\.([\w-]{22})$/.exec(params['token'] ?? '') ?? [];
    const known = id === '' ? undefined : await store.deviceIdentity.byId(Number(id));
    if (!known) return undefined;
    const viewer = { accountId: known.accountId, memberId: Number(member) };
    const agent = await store.agents.find(viewer, { id: known.id });
    if (!agent || !timingSafeEqualText(hmacOf(agent.secret, `preview:${member}`), seal)) return undefined;
    const actor = await store.actors.byId(viewer.accountId, viewer.memberId);
    return actor && mayAgent(actor, 'agent_preview', agent) ? agent.id : undefined;
  }

  async function picture(agentId: number): Promise<PageResponse> {
    const known = kept.get(agentId);
    if (known && performance.now() - known.at < freshMs) return known.page;
    const answer = await fleet.command(agentId, 'preview', { width });
    const page =
      typeof answer === 'string' || 'refused' in answer
        ? placeholderPreview
        : previewPage(answer.done.picture);
    if (kept.size >= maxCachedPictures) kept.clear();
    kept.set(agentId, { page, at: performance.now() });
    return page;
  }

  /** The address of a client's picture is known to those who see the invitation, and dead once the client has left. */
  async function ofClient(token: string): Promise<PageResponse | undefined> {
    const [, id = ''] = /^(\d{1,16})-[\w-]{43}$/.exec(token) ?? [];
    const invitation = id === '' ? undefined : await store.invitations.byPreview(Number(id), token);
    if (!invitation) return undefined;
    const sent = await clientPicture(invitation.id);
    return sent ? previewPage(sent.picture) : placeholderPreview;
  }

  return [
    {
      method: 'GET',
      path: '/preview/:token',
      async handle(request) {
        const seen = await ofClient(request.params['token'] ?? '');
        if (seen) return seen;
        const agentId = await seenBy(request);
        return agentId === undefined ? { ...placeholderPreview, http: 404 } : picture(agentId);
      },
    },
  ];
}
