/** The setting of the keys that seal the secrets of other systems in the database. */
import { join, resolve } from 'node:path';
import { setting, toPath } from './setting.ts';

export const secretsSettings = {
  secrets_key_file: setting(toPath, {
    says: 'File with the keys that seal the secrets of other systems in the database, such as passwords of directories. Several servers on one PostgreSQL must have the same; see [stored secrets](running.md#stored-secrets).',
    accepts: 'the path of a file',
    default: '',
    absent:
      '`secrets.key` in the data folder, which the server creates; with PostgreSQL these secrets are stored in clear',
  }),
};

export interface SecretsKeyConfig {
  /** Absolute path of the file with the keys. */
  file: string;
  /** Whether the server creates it. */
  isOwn: boolean;
}

/** Servers that share a database cannot each create their own. */
export function secretsKeyOf(
  {
    secrets_key_file: given,
    database,
  }: { secrets_key_file?: string | undefined; database?: string | undefined },
  cwd: string,
  data: string,
): SecretsKeyConfig | undefined {
  if (given !== undefined) return { file: resolve(cwd, given), isOwn: false };
  return database === undefined ? { file: join(data, 'secrets.key'), isOwn: true } : undefined;
}
