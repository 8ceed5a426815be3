/** The service in one process: builds the program from its settings and opens its port. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Bus } from '../bus/bus.ts';
import { newAccount, type NewAccount } from './create-account.ts';
import { createApp } from './create-app.ts';
import { random } from '../edges/random.ts';
import { certificateSource, withBoundPort, type Config } from '../config/config.ts';
import { openBlobStores, startSweeping } from './blob-stores.ts';
import type { PortListener } from '../http/connection/listener.ts';
import { openMetricsListener } from '../http/connection/metrics-listener.ts';
import { createKeyUses, type KeyUses } from '../jobs/key-uses.ts';
import { recover, runHousekeeping } from '../jobs/housekeeping.ts';
import type { Log } from '../edges/log.ts';
import { createMetrics } from '../edges/metrics.ts';
import { openBus } from './open-bus.ts';
import { createPanelEvents } from '../panel/live/events.ts';
import { createMailSender } from '../panel/sign-in/mail.ts';
import { openSocketDeps, openServerListener, openGateway } from './listeners.ts';
import { composeSessions } from './compose-sessions.ts';
import { listenOrRefuse, StartRefused } from './start-refused.ts';
import { chownToFolderOwner } from '../store/blobs/durable-files.ts';
import { lockFolder } from '../store/engine/lock.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { loadOrCreateCertificate, type ServerCertificate } from '../tls/certificate.ts';
import { readCertificate } from '../tls/read-certificate.ts';
import { presentedCertificate } from '../tls/presented-certificate.ts';
import { watchCertificate } from '../tls/watch-certificate.ts';
import { serverVersion } from '../edges/version.ts';

export interface RunningServer {
  /** The settings, with the port that was really bound. */
  config: Config;
  store: Store;
  bus: Bus;
  certificate: ServerCertificate;
  /** The first account, when this start made it. */
  first: NewAccount | undefined;
  /** Resolves when nothing can be stored any more. */
  broken: Promise<Error>;
  /** Lets running requests finish, then closes everything. */
  close(graceMs: number): Promise<void>;
}

/** What is known only once the port is open, or changes while the server runs. */
interface LiveState {
  config: Config;
  certificate: ServerCertificate;
}

const housekeepingEveryMs = 30_000;

export async function startServer(config: Config, log: Log, clock?: () => number): Promise<RunningServer> {
  const lock = lockFolder(config.data);
  if (!lock)
    throw new StartRefused(`Another Drawbridge server is already running on the data folder ${config.data}.`);
  const opened = createCloseStack(() => lock.release());
  try {
    return await openAll(config, log, clock, opened);
  } catch (error) {
    await opened.closeAll();
    throw error;
  }
}

type Close = () => Promise<void> | void;

/** What has been opened so far; it is closed in the opposite order. */
function createCloseStack(...closing: Close[]) {
  return {
    push: (...more: Close[]): void => void closing.push(...more),
    async closeAll() {
      for (const close of closing.toReversed()) await close();
    },
  };
}

async function openAll(
  given: Config,
  log: Log,
  clock: (() => number) | undefined,
  closing: ReturnType<typeof createCloseStack>,
): Promise<RunningServer> {
  const metrics = createMetrics({ version: serverVersion });
  const { database: url, data: folder, databasePool: poolSize } = given;
  const broken = Promise.withResolvers<Error>();
  const listeners = { onCommit: metrics.observeCommit, onBroken: broken.resolve };
  const rawStore = await openStore({ url, folder, poolSize, clock, ...listeners });
  closing.push(() => rawStore.close());
  const bus = await openBus(given.bus, log);
  closing.push(() => bus.close());
  const events = createPanelEvents({ store: rawStore, bus, log, node: randomUUID() });
  closing.push(() => events.close());
  const { store } = events;
  await recover(store);

  const certificate = given.tls ? await readCertificate(given.tls) : await ownCertificate(given);
  const keyUses = createKeyUses(store);
  const lifecycle = { draining: false };
  const live: LiveState = { config: given, certificate };
  const presented = presentedCertificate(certificateSource(given), () => live.certificate.cert);
  const blobStores = await openBlobStores(given, store);
  const sharedDeps = {
    ...blobStores,
    certificate: presented.fingerprint,
    mail: createMailSender(given.mail, log),
  };
  const deps = { config: () => live.config, store, bus, ...sharedDeps };
  const socketDeps = await openSocketDeps(deps, log);
  const gateway = openGateway({ ...deps, ...socketDeps, certificate: presented.attested });
  closing.push(() => gateway.close());
  const sessions = composeSessions({ ...deps, ...socketDeps });
  closing.push(() => sessions.close());
  const onRequest = await createApp({
    ...deps,
    keyPin: presented.keyPin,
    keyUses,
    metrics,
    log,
    lifecycle,
    sessions,
    events,
  });
  const listener = await openServerListener(given, certificate, { onRequest, gateway, sessions, log });
  closing.push(() => listener.close(0));
  live.config = withBoundPort(given, listener.address.port);
  const config = live.config;
  closing.push(startJobs(store, keyUses, config, log), watchCertificateFiles(live, listener, log));
  closing.push(startSweeping(store, blobStores, config.recordingDays, log));
  if (config.metricsListen) {
    const { text } = metrics;
    const opened = await listenOrRefuse(
      'metrics_listen',
      { ...config.metricsListen, text },
      openMetricsListener,
    );
    closing.push(() => opened.close());
  }
  const close = async (graceMs: number): Promise<void> => {
    lifecycle.draining = true;
    const quiet = listener.close(graceMs);
    events.close();
    await Promise.all([gateway.close(), sessions.close()]);
    await quiet;
    await closing.closeAll();
  };
  let closed: Promise<void> | undefined;
  return {
    config,
    store,
    bus,
    certificate,
    first: await createFirstAccount(store, config),
    broken: broken.promise,
    close: (graceMs) => (closed ??= close(graceMs)),
  };
}

/** The names a self-signed certificate is made for beside the machine's own. */
const certificateNames = (config: Config): string[] => [
  hostname(),
  new URL(config.publicUrl).hostname,
  config.listen.host,
];

async function ownCertificate(config: Config): Promise<ServerCertificate> {
  const folder = join(config.data, 'tls');
  const certificate = await loadOrCreateCertificate(folder, certificateNames(config));
  const { created, certFile, keyFile } = certificate;
  if (created) for (const made of [folder, certFile, keyFile]) chownToFolderOwner(made);
  return certificate;
}

async function createFirstAccount(store: Store, config: Config): Promise<NewAccount | undefined> {
  const account = newAccount(random, config.ownerEmail, config.publicUrl, store.now());
  const { created } = await store.change('accounts/first', account.input);
  return created ? account : undefined;
}

function startJobs(store: Store, keyUses: KeyUses, config: Config, log: Log): () => Promise<void> {
  const round = (): Promise<void> =>
    Promise.all([runHousekeeping(store, config.invitationDays * 86_400), keyUses.write()])
      .then(() => undefined)
      .catch((error: unknown) => log.warn({ err: error }, 'cleaning up failed; trying again later'));
  const timer = setInterval(() => void round(), housekeepingEveryMs).unref();
  return async () => {
    clearInterval(timer);
    await keyUses.write().catch(() => {});
  };
}

function watchCertificateFiles(live: LiveState, listener: PortListener, log: Log): () => void {
  const watch = watchCertificate(live.certificate.certFile, live.certificate.keyFile, {
    onChange: ({ cert, key }) => {
      listener.setCertificate(cert, key);
      live.certificate = { ...live.certificate, cert, key };
      log.info('the certificate was reloaded');
    },
    onError: (error) =>
      log.error({ error: error.message }, 'the new certificate cannot be used; the old one stays in use'),
  });
  return () => watch.close();
}
