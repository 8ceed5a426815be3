/** `secrets rotate`: adds a new key for stored secrets, with which the servers seal them from their next start on. */
import { existsSync } from 'node:fs';
import { addSecretKey, readSecretKeys } from '../../store/secrets/key-file.ts';
import { failWith, isFailure, type AdminCommand } from '../command.ts';
import { configOf, errorText } from '../store-access.ts';

export const secretsRotate: AdminCommand = {
  name: 'secrets rotate',
  says: 'Add a new key for stored secrets. Restart the server afterwards.',
  options: {},
  async run(_args, context) {
    const config = await configOf(context);
    if (isFailure(config)) return config;
    const { secretsKey, database } = config;
    if (!secretsKey)
      return failWith('Secrets are stored in clear: set DRAWBRIDGE_SECRETS_KEY_FILE to use a key.');
    const { file, isOwn } = secretsKey;
    if (isOwn && !existsSync(file)) return failWith(`There is no ${file} yet: run drawbridge start first.`);
    try {
      readSecretKeys(file);
      const keys = addSecretKey(file);
      return { data: { file, keys }, says: `${file} has a new first key. ${nextSteps(database)}` };
    } catch (error) {
      return failWith(`A key cannot be added to ${file}: ${errorText(error)}.`);
    }
  },
};

const nextSteps = (database: string | undefined): string =>
  `${
    database === undefined
      ? 'Restart the server'
      : 'Copy the file to all servers on the database, then restart one after the other'
  }: what is stored is then sealed with it. drawbridge doctor says when the older keys can be removed.`;
