/** Checks that the secrets of other systems in the database are sealed, and that their keys are on this server. */
import { existsSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import type { Finding, InspectedDatabase } from '../../store/engine/database.ts';
import { readSecretKeys } from '../../store/secrets/key-file.ts';
import { createSecretBox, type SecretBox, type SecretCounts } from '../../store/secrets/secret-box.ts';
import { countSecrets } from '../../store/secrets/stored-secrets.ts';
import { errorText } from '../store-access.ts';
import { ok, problem, warning } from './finding.ts';

const name = 'secrets';

export async function secretChecks(found: InspectedDatabase, { secretsKey }: Config): Promise<Finding[]> {
  try {
    const isThere = secretsKey && (!secretsKey.isOwn || existsSync(secretsKey.file));
    const box = createSecretBox(isThere ? readSecretKeys(secretsKey.file) : []);
    const counts = await found.snapshot((db) => countSecrets(db, box));
    return findingsOf(counts, box, secretsKey?.file);
  } catch (error) {
    return [problem(name, `Their keys cannot be read from ${secretsKey?.file}: ${errorText(error)}.`)];
  }
}

function findingsOf(counts: SecretCounts, { keys }: SecretBox, file: string | undefined): Finding[] {
  const { total, clear, older, unreadable } = counts;
  const findings: Finding[] = [];
  if (unreadable > 0)
    findings.push(problem(name, `${unreadable} of ${total} cannot be opened: ${lostAdvice(file)}`));
  if (clear > 0)
    findings.push(warning(name, `${clear} of ${total} are stored in clear: ${clearAdvice(file)}`));
  if (older > 0)
    findings.push(
      warning(
        name,
        `${older} of ${total} are sealed with an older key: restart the server to seal them again.`,
      ),
    );
  if (findings.length > 0) return findings;
  if (total === 0 || file === undefined) return [ok(name, 'None of other systems are stored.')];
  const extra = keys.length > 1 ? ' Only its first key is in use: the others can be removed.' : '';
  return [ok(name, `${total} of other systems are stored, sealed with the key in ${file}.${extra}`)];
}

const lostAdvice = (file: string | undefined): string =>
  file === undefined
    ? 'set DRAWBRIDGE_SECRETS_KEY_FILE to the file with their key, or enter them again.'
    : `their key is not in ${file}. Put it back there, or enter them again.`;

const clearAdvice = (file: string | undefined): string =>
  file === undefined
    ? 'set DRAWBRIDGE_SECRETS_KEY_FILE on all servers.'
    : 'the server seals them when it starts, once all servers on the database have the key.';
