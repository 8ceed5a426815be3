/**
 * Authorizes requests below /panel/api: only from pages of this server, signed in if the row requires it, and recently
 * confirmed if it requires that.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { fault, type Fault } from '@drawbridge/contract/faults';
import { backgroundHeader, csrfHeader } from '@drawbridge/contract/panel/index';
import type { PanelAudience } from '@drawbridge/contract/panel/row';
import { confirmCode } from '@drawbridge/contract/panel/step-up';
import type { Actor } from '../../domain/people/access.ts';
import { isFresh, isLive, lastSeenInterval, type PanelSessionHolder } from '../../domain/people/panel.ts';
import type { HandlerContext } from '../../handlers/handler.ts';
import type { Route } from '../../http/route.ts';
import type { Store } from '../../store/store.ts';
import { tokenFrom } from './cookie.ts';

export interface SignedInCaller extends PanelSessionHolder {
  csrf: string;
}

type GuardDeps = Pick<HandlerContext, 'digestOf' | 'hmacOf' | 'now'> & { store: Store };

/** The CSRF token of a session, derived from the cookie, which no page can read. */
export const csrfOf = (token: string, { hmacOf }: Pick<HandlerContext, 'hmacOf'>): string =>
  hmacOf(token, 'csrf');

/** The signed-in person. Records now and then that they are active, unless the page sent the request in the background. */
export async function authenticateSession(
  headers: IncomingHttpHeaders,
  context: GuardDeps,
): Promise<SignedInCaller | undefined> {
  const token = tokenFrom(headers);
  if (token === undefined) return undefined;
  const holder = await context.store.actors.bySession(context.digestOf(token));
  const now = context.now();
  if (!holder || !isLive(holder.session, now)) return undefined;
  const { accountId } = holder.actor;
  const { id, seenTime } = holder.session;
  if (headers[backgroundHeader] === undefined && now - seenTime >= lastSeenInterval)
    await context.store.change('panel/sessions/seen', { accountId, id });
  return { ...holder, csrf: csrfOf(token, context) };
}

const signedOut = fault('unauthenticated', {
  code: 'signed_out',
  message: 'You are signed out. Sign in to continue.',
});
const unconfirmed = fault('forbidden', {
  code: confirmCode,
  message: 'Confirm that it is you, then try again.',
});
const notOperator = fault('forbidden', { message: 'Only server administrators can do this.' });

const crossSiteFault = (publicUrl: string): Fault<'forbidden'> =>
  fault('forbidden', {
    code: 'cross_site',
    message: `The panel accepts requests only from its own pages, at ${publicUrl}.`,
  });

/** Rejects requests that a page of another site makes the browser send. */
function checkSameOrigin(
  method: string,
  headers: IncomingHttpHeaders,
  publicUrl: string,
): Fault<'forbidden'> | undefined {
  const site = headers['sec-fetch-site'];
  const isCrossSite = site !== undefined && site !== 'same-origin';
  const isForeignOrigin = method === 'POST' && headers.origin !== new URL(publicUrl).origin;
  return isCrossSite || isForeignOrigin ? crossSiteFault(publicUrl) : undefined;
}

/** The signed-in person on pages outside the panel; a form counts only if a page of this server sent it. */
export async function signedInActor(
  method: Route['method'],
  headers: IncomingHttpHeaders,
  context: GuardDeps & Pick<HandlerContext, 'publicUrl'>,
): Promise<Actor | undefined> {
  if (method !== 'GET' && checkSameOrigin(method, headers, context.publicUrl)) return undefined;
  return (await authenticateSession(headers, context))?.actor;
}

interface GuardedRequest {
  method: string;
  headers: IncomingHttpHeaders;
  now: number;
  publicUrl: string;
}

/** The only check of `who` of a row against the caller. */
export function refusalFor(
  who: PanelAudience,
  caller: SignedInCaller | undefined,
  request: GuardedRequest,
): Fault | undefined {
  const { method, headers, now, publicUrl } = request;
  const rejected = checkSameOrigin(method, headers, publicUrl);
  if (rejected) return rejected;
  // Before signing in there is no CSRF token; the origin shows that the page is ours.
  if (who === 'anyone') return undefined;
  if (!caller) return signedOut;
  if (method === 'POST' && headers[csrfHeader] !== caller.csrf) return crossSiteFault(publicUrl);
  if ((who === 'operator' || who === 'fresh_operator') && !caller.operator) return notOperator;
  if ((who === 'fresh' || who === 'fresh_operator') && !isFresh(caller.session, now)) return unconfirmed;
  return undefined;
}
