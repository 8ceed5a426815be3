/** Builds what is lent to every handler. */
import { setImmediate } from 'node:timers/promises';
import type { Bus } from './bus/bus.ts';
import { chance, digestOf, sealOf } from './chance.ts';
import type { Config } from './config.ts';
import { busFleet } from './gateway/fleet.ts';
import { wakeNearby } from './gateway/wake.ts';
import { createAgentViews } from './handlers/agent-view.ts';
import type { House } from './handlers/handler.ts';
import { hashPassword } from './passwords.ts';
import type { Shelf, Store } from './store/store.ts';

export interface HouseParts {
  /** The settings as they are now: the port is known only once it is open. */
  config(): Config;
  store: Store;
  bus: Bus;
  shelf: Shelf;
  recordings: Shelf;
  certificate(): string;
}

export const createHouse = ({ config, store, bus, shelf, recordings, certificate }: HouseParts): House => ({
  store,
  shelf,
  recordings,
  fleet: busFleet(bus),
  wakeNearby,
  views: createAgentViews(),
  now: store.now,
  breathe: setImmediate,
  chance,
  digestOf,
  sealOf,
  hashPassword,
  keep: (name, input) => store.change(name, input),
  certificate,
  get publicUrl() {
    return config().publicUrl;
  },
  invitationLifetime: config().invitationDays * 86_400,
});
