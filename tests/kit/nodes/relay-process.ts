/** A relay that runs alone, as a separate process without a database, and a server that uses such relays. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadRelayKey } from '@drawbridge/server/compose/relays/relay-key-file';
import { freePort } from '../free-port.ts';
import { startProgram, startServerProcess, type Program, type ServerProcess } from '../process.ts';

/** A relay that may run or not. */
interface RelayRegion {
  name: string;
  /** Where the two sides of a session connect. */
  url: string;
  /** Its public key. */
  key: string;
  /** As in the setting of the server. */
  entry: string;
  start(): Promise<Program>;
}

export interface RegionalServer extends AsyncDisposable {
  server: ServerProcess;
  /** By name. */
  regions: Record<string, RelayRegion>;
  /** The setting that `drawbridge relay key` prints. */
  serverKey: string;
}

/** Starts a server that knows relays of these names, none of which runs yet. */
export async function startRegionalServer(names: readonly string[]): Promise<RegionalServer> {
  const folders: string[] = [];
  const prepared = await Promise.all(
    names.map(async (name) => {
      const folder = mkdtempSync(join(tmpdir(), 'drawbridge-relay-'));
      folders.push(folder);
      const { publicKey: key } = loadRelayKey(folder);
      const port = await freePort();
      const origin = `wss://127.0.0.1:${port}`;
      return { name, folder, port, key, url: `${origin}/relay`, entry: `${name}=${origin}#${key}` };
    }),
  );
  const server = await startServerProcess({
    DRAWBRIDGE_RELAYS: prepared.map(({ entry }) => entry).join(','),
  });
  const serverKey = await printedKey(server);
  const start = async (region: (typeof prepared)[number]): Promise<Program> => {
    const relay = startProgram('server/src/relay-main.ts', ['relay', 'start'], {
      DRAWBRIDGE_DATA: region.folder,
      DRAWBRIDGE_LISTEN: `127.0.0.1:${region.port}`,
      DRAWBRIDGE_RELAY_SERVERS: serverKey,
      DRAWBRIDGE_TLS_CERT: join(server.folder, 'tls/cert.pem'),
      DRAWBRIDGE_TLS_KEY: join(server.folder, 'tls/key.pem'),
    });
    await relay.until(/relay is ready/);
    return relay;
  };
  return {
    server,
    serverKey,
    regions: Object.fromEntries(
      prepared.map((region) => [region.name, { ...region, start: () => start(region) }]),
    ),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      for (const folder of [...folders, server.folder]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function printedKey({ folder }: ServerProcess): Promise<string> {
  await using admin = startProgram('server/src/admin/main.ts', ['relay', 'key'], { DRAWBRIDGE_DATA: folder });
  const [, key] = await admin.until(/^DRAWBRIDGE_RELAY_SERVERS=(\S+)\n/);
  return key!;
}
