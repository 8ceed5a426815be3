/** Creates the context that all handlers receive. */
import { setImmediate } from 'node:timers/promises';
import type { Bus } from '../bus/bus.ts';
import { readDirectory } from '../edges/directory/read-directory.ts';
import { createReadLimiter } from '../edges/directory/read-limiter.ts';
import { verifyDirectoryPassword } from '../edges/directory/verify-password.ts';
import { createIdentityProviders } from '../edges/sso/identity-providers.ts';
import { random, digestOf, hmacOf } from '../edges/random.ts';
import type { Config } from '../config/config.ts';
import { createBusFleet } from '../gateway/devices/fleet.ts';
import { wakeNearby } from '../gateway/devices/wake.ts';
import { createAgentViewCache } from '../handlers/agent-view.ts';
import type { HandlerContext } from '../handlers/handler.ts';
import type { PanelContext } from '../panel/handler.ts';
import { createSignInLimits } from '../panel/sign-in/sign-in-limits.ts';
import type { ShareLimiter } from '../edges/guess-limiter.ts';
import { createServerWebhookSender } from './background/delivering.ts';
import { offeredVersion } from './background/updating.ts';
import type { Releases } from './releases.ts';
import { fakeVerify, hashPassword, verifyPassword } from '../edges/passwords.ts';
import type { BlobStore, PictureStore, Store } from '../store/store.ts';
import { serverVersion } from '../edges/version.ts';

export interface ServerDeps {
  /** The current settings: the port is known only once it is open. */
  config(): Config;
  store: Store;
  bus: Bus;
  blobs: BlobStore;
  recordings: BlobStore;
  pictures: PictureStore | undefined;
  releases: Releases;
  certificate(): string;
  shareLimiter: ShareLimiter;
  mail: HandlerContext['mail'];
  mailBy: HandlerContext['mailBy'];
  mailEmergency: HandlerContext['mailEmergency'];
}

/** What one request to an identity provider may take. */
const providerLimits = { ms: 10_000, bytes: 1_048_576 };

/** What people can have read at the same time. Each directory can take a minute and 32 MiB. */
const directoryReads = { concurrency: 4, perAccount: 8, accounts: 100 };

function createLimitedReader({
  config,
  store,
}: Pick<ServerDeps, 'config' | 'store'>): HandlerContext['readDirectory'] {
  const limit = createReadLimiter(directoryReads);
  return (accountId, connection) =>
    limit(accountId, () =>
      readDirectory(connection, store.now(), { allowLoopback: config().directoryLoopback }),
    );
}

export const createHandlerContext = ({ config, store, bus, ...deps }: ServerDeps): HandlerContext => ({
  store,
  blobs: deps.blobs,
  recordings: deps.recordings,
  pictures: deps.pictures,
  fleet: createBusFleet(bus, store),
  wakeNearby,
  views: createAgentViewCache(),
  now: store.now,
  yieldToEventLoop: setImmediate,
  random,
  digestOf,
  hmacOf,
  hashPassword,
  changeUnaudited: (name, input) => store.change(name, input),
  certificate: deps.certificate,
  mail: deps.mail,
  mailBy: deps.mailBy,
  mailEmergency: deps.mailEmergency,
  offeredVersion: () => offeredVersion(deps.releases),
  readDirectory: createLimitedReader({ config, store }),
  identityProviders: createIdentityProviders(
    { limits: providerLimits, allowLoopback: config().ssoLoopback },
    () => performance.now(),
  ),
  sendWebhook: createServerWebhookSender(config(), store),
  get publicUrl() {
    return config().publicUrl;
  },
  invitationLifetime: config().invitationDays * 86_400,
});

interface PanelDeps {
  config(): Config;
  store: Store;
  keyPin(): string;
  renewalFailure: PanelContext['renewalFailure'];
  shareLimiter: ShareLimiter;
  onBug(operation: string, error: unknown): void;
}

/** The context that handlers of the panel receive. */
export const createPanelContext = (
  context: HandlerContext,
  { config, store, keyPin, renewalFailure, shareLimiter, onBug }: PanelDeps,
): PanelContext => ({
  ...context,
  // The port is known only once it is open.
  get publicUrl() {
    return context.publicUrl;
  },
  store,
  verifyPassword,
  fakeVerify,
  verifyDirectoryPassword: (connection, given) =>
    verifyDirectoryPassword(connection, given, {
      now: context.now(),
      allowLoopback: config().directoryLoopback,
    }),
  randomBytes: random.bytes,
  runAfterResponse: (work) =>
    void setImmediate()
      .then(work)
      .catch((error: unknown) => onBug('afterwards', error)),
  tries: createSignInLimits(shareLimiter),
  version: serverVersion,
  keyPin,
  renewalFailure,
});
