/** Enters this server among those that share its database, and refuses to start where their settings do not fit together. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { chownToFolderOwner } from '../store/blobs/durable-files.ts';
import type { NodeRecord } from '../store/nodes/node-records.ts';
import type { Store } from '../store/store.ts';
import { StartRefused } from './start-refused.ts';

/** What must be equal on all servers, and what an administrator does about it. */
const sharedParts = {
  certificate:
    'The certificate of this server differs from that of the other servers on the database. Give all of them the same DRAWBRIDGE_TLS_CERT and DRAWBRIDGE_TLS_KEY.',
  files:
    'DRAWBRIDGE_FILES is not the folder that the other servers on the database use. All of them need the same shared folder.',
  recordings:
    'DRAWBRIDGE_RECORDINGS is not the folder that the other servers on the database use. All of them need the same shared folder.',
} as const;

const aliveSeconds = 20;
const renewEveryMs = 5_000;

/** The returned function leaves. A server that is alone on its database has nothing to compare. */
export async function joinNodes(
  store: Store,
  config: Config,
  certificate: string,
): Promise<() => Promise<void>> {
  if (store.isExclusive) return async () => {};
  const node: NodeRecord = {
    id: await readOrCreate(config.data, 'node-id', randomUUID),
    hasBus: config.bus !== undefined,
    shared: { certificate, files: await markOf(config.files), recordings: await markOf(config.recordings) },
  };
  const aliveUntil = (): number => store.now() + aliveSeconds;
  const leave = async (): Promise<void> =>
    void (await store.change('nodes/leave', { id: node.id }).catch(() => {}));
  const { others } = await store.change('nodes/join', { ...node, aliveUntil: aliveUntil() });
  const problem = problemOf(node, others);
  if (problem !== undefined) {
    await leave();
    throw new StartRefused(problem);
  }
  const timer = setInterval(
    () => void store.change('nodes/alive', { id: node.id, aliveUntil: aliveUntil() }).catch(() => {}),
    renewEveryMs,
  );
  return async () => {
    clearInterval(timer);
    await leave();
  };
}

function problemOf(node: NodeRecord, others: readonly NodeRecord[]): string | undefined {
  if (others.length === 0) return undefined;
  if (!node.hasBus)
    return `Another server runs on this database. Several servers need DRAWBRIDGE_BUS, the same on all of them. If the other server was killed just now, wait ${aliveSeconds} seconds.`;
  if (others.some(({ hasBus }) => !hasBus))
    return 'Another server on this database runs without DRAWBRIDGE_BUS. Set it there, and restart that server first.';
  for (const [part, problem] of Object.entries(sharedParts))
    if (others.some(({ shared }) => shared[part] !== undefined && shared[part] !== node.shared[part]))
      return problem;
  return undefined;
}

/** Servers whose folder has the same mark use the same folder. */
const markOf = (folder: string): Promise<string> =>
  readOrCreate(folder, 'mark', () => randomBytes(16).toString('hex'));

async function readOrCreate(folder: string, name: string, create: () => string): Promise<string> {
  const file = join(folder, name);
  if (await mkdir(folder, { recursive: true, mode: 0o700 })) chownToFolderOwner(folder);
  try {
    await writeFile(file, create(), { flag: 'wx', mode: 0o600 });
    chownToFolderOwner(file);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
  return readFile(file, 'utf8');
}
