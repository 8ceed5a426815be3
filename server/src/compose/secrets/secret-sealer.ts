/** Opens the keys of stored secrets, and keeps these sealed with a key that all servers on the database have. */
import type { Config } from '../../config/config.ts';
import type { Log } from '../../edges/log.ts';
import type { NodeRecord } from '../../store/nodes/node-records.ts';
import { ensureKeyFile, readSecretKeys } from '../../store/secrets/key-file.ts';
import { createSecretBox, type SecretBox, type SecretCounts } from '../../store/secrets/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { StartRefused } from '../start-refused.ts';

export function openSecretBox({ secretsKey }: Config): SecretBox {
  if (!secretsKey) return createSecretBox([]);
  const { file, isOwn } = secretsKey;
  try {
    if (isOwn) ensureKeyFile(file);
    return createSecretBox(readSecretKeys(file));
  } catch (error) {
    throw new StartRefused(
      `The keys of stored secrets cannot be read from ${file}: ${(error as Error).message}.`,
      { cause: error },
    );
  }
}

/** The entry of a node that tells which keys it has, the one to seal with first. */
export const keysMark = ({ keys }: SecretBox): string => keys.map(({ id }) => id).join(',');

/** None for a node without a key file, and for one of a version that does not know them. */
const keysOf = ({ shared }: NodeRecord): string[] => (shared['secrets'] ?? '').split(',').filter(Boolean);

/** A node must be able to open what the others seal. One that has more keys than the others may join them. */
export const lacksKeyOf = ({ keys }: SecretBox, other: NodeRecord): boolean => {
  const [first] = keysOf(other);
  return first !== undefined && keys.every(({ id }) => id !== first);
};

interface SealerDeps {
  store: Store;
  secrets: SecretBox;
  log: Log;
}

/**
 * Returns what to call at the start and whenever the other nodes may have changed: seals what is stored once all of them
 * have the key. What failed is done at the next call.
 */
export function createSecretSealer({ store, secrets, log }: SealerDeps) {
  let isDue = true;
  return async (others: readonly NodeRecord[]): Promise<void> => {
    if (secrets.agree(others.map(keysOf))) isDue = true;
    if (!isDue) return;
    const counts = await store.change('secrets/seal', {});
    isDue = false;
    report(counts, secrets, log);
  };
}

function report({ clear, unreadable, total }: SecretCounts, { keys }: SecretBox, log: Log): void {
  if (unreadable > 0)
    log.warn({ unreadable, total }, 'stored secrets cannot be opened: their key is not on this server');
  if (clear > 0)
    log.warn(
      { clear, total },
      keys.length > 0
        ? 'secrets are stored in clear until all servers on the database have the key'
        : 'secrets are stored in clear: set DRAWBRIDGE_SECRETS_KEY_FILE',
    );
}

/** For the values that an earlier version stored in clear, and that were changed or removed since. */
export const reportRemnants =
  (log: Log) =>
  (step: 'begin' | Error): void => {
    if (step === 'begin')
      log.info('rewriting the database file, so that no secret stays in clear in its unused parts');
    else log.warn({ err: step }, remnantsLeft);
  };

const remnantsLeft =
  'secrets that were changed or removed earlier can still be in unused parts of the database file: change them, or start again when there is space';
