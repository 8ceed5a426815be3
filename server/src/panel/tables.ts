/** What is served below /panel/api: the panel's own rows, and those of the API for signed-in people. */
import type { IncomingHttpHeaders } from 'node:http';
import { isFault, type Fault } from '@drawbridge/contract/faults';
import type { Operation } from '@drawbridge/contract/operation';
import { panel, panelPrefix, panelV1Prefix } from '@drawbridge/contract/panel/index';
import type { PanelRow, PanelAudience } from '@drawbridge/contract/panel/row';
import { v1 } from '@drawbridge/contract/v1/index';
import { handlers } from '../handlers/index.ts';
import type { AuthenticatedCaller, AuthScheme } from '../http/operations/auth-scheme.ts';
import type { ServedTable } from '../http/operations/served-table.ts';
import { cookieHeader, ssoCookieName, tokenFrom } from './sign-in/cookie.ts';
import { refusalFor, authenticateSession, type SignedInCaller } from './sign-in/guard.ts';
import type { CookieChange, CurrentSession, PanelContext, PanelRequester } from './handler.ts';
import { panelHandlers } from './index.ts';

/** A person does not have the limits of a key. */
const unlimited = { expireTime: null, networks: [] };

const maxUserAgentLength = 256;

interface SessionCaller extends AuthenticatedCaller {
  signedIn: SignedInCaller;
  operator: boolean;
  session: CurrentSession;
}

const requesterOf = (headers: IncomingHttpHeaders, address: string): PanelRequester => ({
  address,
  userAgent: (headers['user-agent'] ?? '').slice(0, maxUserAgentLength),
  token: tokenFrom(headers),
  ssoToken: tokenFrom(headers, ssoCookieName),
});

/** Authenticates people: the browser sends the cookie, and the page the CSRF token. */
const sessionAuth = (context: PanelContext, who: PanelAudience): AuthScheme => ({
  async authenticate({ headers }): Promise<SessionCaller | undefined> {
    const found = who === 'anyone' ? undefined : await authenticateSession(headers, context);
    if (!found) return undefined;
    const { actor, ownerEmail, plan, operator, session, csrf, rightsVersion } = found;
    const currentSession = { id: session.id, freshTime: session.freshTime, csrf };
    const caller = { actor, ownerEmail, plan, key: unlimited, rightsVersion };
    return { ...caller, operator, session: currentSession, signedIn: found };
  },
  refusal({ method, headers }, caller, now) {
    const found = (caller as SessionCaller | undefined)?.signedIn;
    return refusalFor(who, found, { method, headers, now, publicUrl: context.publicUrl });
  },
  extend: ({ headers, address }) => ({ requester: requesterOf(headers, address) }),
  countsTowardsQuota: false,
});

function splitHeaders(result: object | Fault): ReturnType<ServedTable['splitHeaders']> {
  if (isFault(result)) return { result, headers: {} };
  const { cookie, ssoCookie, ...fields } = result as CookieChange;
  return {
    result: fields,
    headers: cookieHeader({ ...(cookie && { cookie }), ...(ssoCookie && { ssoCookie }) }),
  };
}

/** Anonymous callers have no rights that a need could check. */
function whoOf(id: string, row: Operation): PanelAudience {
  const { who } = row as Partial<PanelRow>;
  if (who === undefined) throw new Error(`the row ${id} does not say who may ask for it`);
  if (who === 'anyone' && row.needs.length > 0) throw new Error(`the row ${id} needs a right of nobody`);
  return who;
}

export const panelTables = (context: PanelContext): ServedTable[] => [
  {
    prefix: panelPrefix,
    rows: panel,
    handlers: panelHandlers,
    context,
    schemeOf: (id, row) => sessionAuth(context, whoOf(id, row)),
    nameOf: (id) => `panel/${id}`,
    crossOrigin: false,
    splitHeaders,
  },
  {
    prefix: panelV1Prefix,
    rows: v1,
    handlers,
    context,
    schemeOf: (_id, row) => sessionAuth(context, row.freshSignIn ? 'fresh' : 'member'),
    nameOf: (id) => id,
    crossOrigin: false,
    splitHeaders: (result) => ({ result, headers: {} }),
  },
];
