/** Composes a relay that runs alone, without a database and without a bus, and opens its port. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { rejectUpgrade } from '@drawbridge/contract/upgrades';
import { createRemoteRelay, type RemoteRelay } from '@drawbridge/relay/control/remote-relay';
import type { Config } from '../../config/config.ts';
import { slotOwnerOf } from '../../domain/networks.ts';
import type { Log } from '../../edges/log.ts';
import { createMetrics, type Metrics } from '../../edges/metrics.ts';
import { serverVersion } from '../../edges/version.ts';
import { clientOfRequest, isInNetworks } from '../../http/connection/client-address.ts';
import { openListener, type ListenerOptions } from '../../http/connection/listener.ts';
import { openMetricsListener } from '../../http/connection/metrics-listener.ts';
import { createChallenges } from '../../tls/acme/challenges.ts';
import { fingerprintOf } from '../../tls/pins.ts';
import { followCertificate, openCertificate, type LiveState } from '../certificates.ts';
import { createCloseStack, type CloseStack } from '../close-stack.ts';
import { requireNetworks } from '../listeners.ts';
import { listenOrRefuse, StartRefused } from '../start-refused.ts';
import { loadRelayKey } from './relay-key-file.ts';
import { relayMetrics } from './relay-metrics.ts';

interface RunningRelay {
  /** The actual address. */
  listen: { host: string; port: number };
  /** Its public key. */
  key: string;
  /** Tells the two sides of each session to connect elsewhere, and ends. */
  close(): Promise<void>;
}

export async function startRemoteRelay(config: Config, log: Log): Promise<RunningRelay> {
  const { relayServers: serverKeys } = config;
  if (serverKeys.length === 0)
    throw new StartRefused(
      'DRAWBRIDGE_RELAY_SERVERS names no server. Run drawbridge relay key on the server, and set what it prints.',
    );
  const closing = createCloseStack();
  const key = loadRelayKey(config.data);
  const live: LiveState = { config, certificate: await openCertificate(config) };
  const relay = createRemoteRelay({
    key,
    serverKeys,
    version: serverVersion,
    certificate: () => fingerprintOf(live.certificate.cert),
    now: () => Math.floor(Date.now() / 1_000),
  });
  closing.push(() => relay.close());
  try {
    const listen = await openPorts({ relay, live, log, closing });
    return { listen, key: key.publicKey, close: closing.closeAll };
  } catch (error) {
    await closing.closeAll();
    throw error;
  }
}

interface Opened {
  relay: RemoteRelay;
  live: LiveState;
  log: Log;
  closing: CloseStack;
}

async function openPorts({ relay, live, log, closing }: Opened): Promise<RunningRelay['listen']> {
  const { config, certificate } = live;
  const challenges = config.acme && createChallenges();
  const metrics = createMetrics({ version: serverVersion, roles: ['relay'] });
  const trusted = requireNetworks(config.trustedProxies);
  const options: ListenerOptions = {
    ...config.listen,
    tls: certificate,
    onRequest: (request, response) => answer(relay, request, response),
    onUpgrade(request, socket, head, settle) {
      const { https, address } = clientOfRequest(request, trusted);
      if (!https || !relay.upgrade(request, socket, head, { ...slotOwnerOf(address), settle }))
        rejectUpgrade(socket, 404);
    },
    limits: { connectionsPerAddress: config.connectionsPerAddress },
    challenges,
    isUncapped: (address) => isInNetworks(address, trusted),
    onError: (error) => log.error({ error: error.message }, 'the listener reported an error'),
  };
  const listener = await listenOrRefuse('listen', options, openListener);
  closing.push(() => listener.close(0));
  const { setCertificate } = listener;
  await followCertificate({ live, setCertificate, challenges, metrics, log, closing });
  await openMetrics(config, metrics, relay, closing);
  return listener.address;
}

/** `/healthz` says that it runs, `/readyz` that at least one server is connected. */
function answer(relay: RemoteRelay, { url }: IncomingMessage, response: ServerResponse): void {
  const isReady = url === '/healthz' || (url === '/readyz' && relay.servers() > 0);
  const http = isReady ? 200 : url === '/readyz' ? 503 : 404;
  response.writeHead(http, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(isReady ? 'ok\n' : http === 503 ? 'no server is connected\n' : 'this is a relay\n');
}

async function openMetrics(
  { metricsListen }: Config,
  metrics: Metrics,
  relay: RemoteRelay,
  closing: CloseStack,
): Promise<void> {
  if (!metricsListen) return;
  const text = async (): Promise<string> => `${await metrics.text()}\n${relayMetrics(relay)}`;
  const opened = await listenOrRefuse('metrics_listen', { ...metricsListen, text }, openMetricsListener);
  closing.push(() => opened.close());
}
