/** The page on which clients join: the same for every code, so that it does not reveal which codes are valid. */
import { webAppCsp, type WebApp } from './web-app.ts';
import type { Route } from '../http/route.ts';

export function joinRoutes(app: WebApp, relayUrl: () => string): Route[] {
  const handle = () => app.page('join.html', webAppCsp(new URL(relayUrl()).origin));
  return ['/i', '/i/:code'].map((path) => ({ method: 'GET', path, handle }));
}
