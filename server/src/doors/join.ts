/** The client's way in: one page for every code, so that looking tells nothing about which of them lead somewhere. */
import { appPolicy, type App } from './app.ts';
import type { Door } from './door.ts';

export function joinDoors(app: App, relayUrl: () => string): Door[] {
  const open = () => app.page('join.html', appPolicy(new URL(relayUrl()).origin));
  return ['/i', '/i/:code'].map((path) => ({ method: 'GET', path, open }));
}
