/** What servers on one database must have in common, and the sentence that refuses one that differs. */
import type { Config } from '../../config/config.ts';
import { isDefaultPublicUrl } from '../../config/config.ts';
import type { NodeRecord } from '../../store/nodes/node-records.ts';
import type { SecretBox } from '../../store/secrets/secret-box.ts';
import { lacksKeyOf } from '../secrets/secret-sealer.ts';
import { folderMark } from './folder-marks.ts';

/**
 * What must be equal on all servers, and what an administrator does about it. A part that the other server does not name,
 * because its version does not compare it or compares it in another way, is not compared.
 */
const sharedParts = {
  trusted_key:
    'The certificate of this server differs from that of the other servers on the database, and devices recognise it by its key. Give all of them the same DRAWBRIDGE_TLS_CERT and DRAWBRIDGE_TLS_KEY, or DRAWBRIDGE_PUBLIC_CERT where a proxy presents one.',
  public_url:
    'DRAWBRIDGE_PUBLIC_URL differs from that of the other servers on the database. Give all of them the same. To change it, stop all of them first.',
  storage:
    'DRAWBRIDGE_OBJECT_STORAGE differs from that of the other servers on the database. Give all of them the same bucket and prefix, or all of them folders.',
  files:
    'DRAWBRIDGE_FILES is not the folder that the other servers on the database use. All of them need the same shared folder.',
  recordings:
    'DRAWBRIDGE_RECORDINGS is not the folder that the other servers on the database use. All of them need the same shared folder.',
} as const;

const lacksKey =
  'DRAWBRIDGE_SECRETS_KEY_FILE lacks the key with which the other servers on the database seal secrets. Give all of them the same file.';

/** How long a node counts as alive after it said so. */
export const aliveSeconds = 20;

/** The parts that stay the same while the server runs. */
export async function fixedPartsOf(config: Config): Promise<Record<string, string>> {
  return {
    public_url: isDefaultPublicUrl(config) ? '' : config.publicUrl,
    ...(await storagePartsOf(config)),
  };
}

/** Servers with the same parts store files and recordings in the same places. */
async function storagePartsOf({ objectStorage, files, recordings }: Config): Promise<Record<string, string>> {
  if (!objectStorage)
    return { storage: 'folders', files: await folderMark(files), recordings: await folderMark(recordings) };
  const { endpoint, bucket, prefix } = objectStorage;
  return { storage: `${endpoint}/${bucket}/${prefix}` };
}

/** Why the node does not fit the others; undefined if it does. */
export function misfitOf(
  node: NodeRecord,
  others: readonly NodeRecord[],
  secrets: SecretBox,
): string | undefined {
  if (others.length === 0) return undefined;
  if (!node.hasBus)
    return `Another server runs on this database. Several servers need DRAWBRIDGE_BUS, the same on all of them. If the other server was killed just now, wait ${aliveSeconds} seconds.`;
  if (others.some(({ hasBus }) => !hasBus))
    return 'Another server on this database runs without DRAWBRIDGE_BUS. Set it there, and restart that server first.';
  for (const [part, problem] of Object.entries(sharedParts))
    if (others.some(({ shared }) => shared[part] !== undefined && shared[part] !== node.shared[part]))
      return problem;
  return others.some((other) => lacksKeyOf(secrets, other)) ? lacksKey : undefined;
}
