/** A relay that runs alone, as a separate process without a database, and a server that uses such relays. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadRelayKey } from '@drawbridge/server/compose/relays/relay-key-file';
import { freePort } from '../free-port.ts';
import { startProgram, startServerProcess, type Program, type ServerProcess } from '../process.ts';

interface RelayStart {
  /** The key of the server, as `printedServerKey` gives it. */
  serverKey: string;
  /** The folder of its certificate. */
  certificates: string;
}

/** A relay with a key and an address that may run or not. */
interface PreparedRelay extends Disposable {
  name: string;
  /** Where the two sides of a session connect. */
  url: string;
  /** Its public key. */
  key: string;
  /** As in the setting of the server. */
  entry: string;
  start(options: RelayStart): Promise<Program>;
}

interface RelayRegion extends Omit<PreparedRelay, 'start' | typeof Symbol.dispose> {
  start(): Promise<Program>;
}

export interface RegionalServer extends AsyncDisposable {
  server: ServerProcess;
  /** By name. */
  regions: Record<string, RelayRegion>;
  /** The setting that `drawbridge relay key` prints. */
  serverKey: string;
}

export async function prepareRelay(name: string): Promise<PreparedRelay> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-relay-'));
  const { publicKey: key } = loadRelayKey(folder);
  const port = await freePort();
  const origin = `wss://127.0.0.1:${port}`;
  return {
    name,
    key,
    url: `${origin}/relay`,
    entry: `${name}=${origin}#${key}`,
    async start({ serverKey, certificates }) {
      const relay = startProgram('server/src/relay-main.ts', ['relay', 'start'], {
        DRAWBRIDGE_DATA: folder,
        DRAWBRIDGE_LISTEN: `127.0.0.1:${port}`,
        DRAWBRIDGE_RELAY_SERVERS: serverKey,
        DRAWBRIDGE_TLS_CERT: join(certificates, 'cert.pem'),
        DRAWBRIDGE_TLS_KEY: join(certificates, 'key.pem'),
      });
      await relay.until(/relay is ready/);
      return relay;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What `drawbridge relay key` prints for the server with these settings. */
export async function printedServerKey(env: Record<string, string>): Promise<string> {
  await using admin = startProgram('server/src/admin/main.ts', ['relay', 'key'], env);
  const [, key] = await admin.until(/^DRAWBRIDGE_RELAY_SERVERS=(\S+)\n/);
  return key!;
}

/** Starts a server that knows relays of these names, none of which runs yet. */
export async function startRegionalServer(names: readonly string[]): Promise<RegionalServer> {
  const prepared = await Promise.all(names.map(prepareRelay));
  const server = await startServerProcess({
    DRAWBRIDGE_RELAYS: prepared.map(({ entry }) => entry).join(','),
  });
  const serverKey = await printedServerKey({ DRAWBRIDGE_DATA: server.folder });
  const options = { serverKey, certificates: join(server.folder, 'tls') };
  return {
    server,
    serverKey,
    regions: Object.fromEntries(
      prepared.map((relay) => [relay.name, { ...relay, start: () => relay.start(options) }]),
    ),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      for (const relay of prepared) relay[Symbol.dispose]();
      rmSync(server.folder, { recursive: true, force: true });
    },
  };
}
