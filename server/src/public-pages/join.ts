/** The page on which clients join: the same for every code, so that it does not reveal which codes are valid. It then asks who created the invitation. */
import { inviterRequest, type SessionSubject } from '@drawbridge/contract/session/open';
import { refusals } from '../sessions/refusals.ts';
import { createPostGuard, postRoute } from './console.ts';
import { webAppCsp, type WebApp } from './web-app.ts';
import type { Route } from '../http/route.ts';

export interface JoinDeps {
  app: WebApp;
  publicUrl(): string;
  /** The origins of all relays, separated by spaces. */
  relayOrigins(): string;
  /** Counts as an attempt with the code, as joining does. */
  inviterOf(code: string, address: string): Promise<SessionSubject | 'busy' | undefined>;
}

export function joinRoutes({ app, publicUrl, relayOrigins, inviterOf }: JoinDeps): Route[] {
  const handle = () => app.page('join.html', webAppCsp(relayOrigins()));
  const pages = ['/i', '/i/:code'].map((path) => ({ method: 'GET', path, handle }) as const);
  return [
    ...pages,
    postRoute(
      createPostGuard(publicUrl),
      '/session/inviter',
      inviterRequest,
      async ({ code }, { address }) => {
        const found = await inviterOf(code, address);
        return found === 'busy' ? refusals.busy : (found ?? refusals.used);
      },
    ),
  ];
}
