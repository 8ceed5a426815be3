/** Builds what is lent to every handler. */
import { setImmediate } from 'node:timers/promises';
import type { Bus } from './bus/bus.ts';
import { chance, digestOf, sealOf } from './chance.ts';
import type { Config } from './config.ts';
import { busFleet } from './gateway/fleet.ts';
import { wakeNearby } from './gateway/wake.ts';
import { createAgentViews } from './handlers/agent-view.ts';
import type { House } from './handlers/handler.ts';
import type { PanelHouse } from './panel/handler.ts';
import { createTries } from './panel/tries.ts';
import { burnPassword, hashPassword, unlessCrowded, verifyPassword } from './passwords.ts';
import type { BlobStore, Store } from './store/store.ts';
import { version } from './version.ts';

export interface HouseParts {
  /** The settings as they are now: the port is known only once it is open. */
  config(): Config;
  store: Store;
  bus: Bus;
  blobs: BlobStore;
  recordings: BlobStore;
  certificate(): string;
  mail: House['mail'];
}

export const createHouse = ({ config, store, bus, ...parts }: HouseParts): House => ({
  store,
  blobs: parts.blobs,
  recordings: parts.recordings,
  fleet: busFleet(bus),
  wakeNearby,
  views: createAgentViews(),
  now: store.now,
  breathe: setImmediate,
  chance,
  digestOf,
  sealOf,
  hashPassword: (password, line) => unlessCrowded(() => hashPassword(password, line)),
  keep: (name, input) => store.change(name, input),
  certificate: parts.certificate,
  mail: parts.mail,
  get publicUrl() {
    return config().publicUrl;
  },
  invitationLifetime: config().invitationDays * 86_400,
});

/** What the panel's handlers are lent beyond that. */
export const createPanelHouse = (
  house: House,
  store: Store,
  onBug: (operation: string, error: unknown) => void,
): PanelHouse => ({
  ...house,
  // The port is known only once it is open.
  get publicUrl() {
    return house.publicUrl;
  },
  store,
  verifyPassword,
  burnPassword,
  bytes: chance.bytes,
  afterwards: (work) =>
    void setImmediate()
      .then(work)
      .catch((error: unknown) => onBug('afterwards', error)),
  tries: createTries(),
  version,
});
