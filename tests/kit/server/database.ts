/** A database for one test, on either kind of store. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { isClusterRun } from '../nodes/cluster-run.ts';
import { skipWithout } from '../requirements.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

/** Both kinds, each with the reason to skip it on this machine. Several servers run on PostgreSQL only. */
export const databases: readonly { kind: DatabaseKind; skip: string | false }[] = [
  ...(isClusterRun ? [] : [{ kind: 'sqlite', skip: false } as const]),
  { kind: 'postgres', skip: skipWithout('PostgreSQL') },
];

export interface TestDatabase {
  /** The settings that choose it. */
  env: Record<string, string>;
  drop(): Promise<void>;
}

async function asSuperuser(work: (client: pg.Client) => Promise<unknown>, database?: string): Promise<void> {
  const url = new URL(process.env['TEST_POSTGRES_URL']!);
  if (database !== undefined) url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/**
 * PostgreSQL with an unprivileged role, because row-level security does not apply to superusers. `template`: a
 * database of the role with the same name, whose content it begins with.
 */
export async function openDatabaseFor(kind: DatabaseKind, template?: string): Promise<TestDatabase> {
  if (kind === 'sqlite') return { env: {}, drop: async () => {} };
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asSuperuser(async (client) => {
    await client.query(`create role ${name} login password '${name}'`);
    await client.query(`create database ${name} owner ${name} template ${template ?? 'template1'}`);
  });
  if (template !== undefined)
    await asSuperuser((client) => client.query(`reassign owned by ${template} to ${name}`), name);
  const url = new URL(process.env['TEST_POSTGRES_URL']!);
  Object.assign(url, { username: name, password: name, pathname: `/${name}` });
  return {
    env: { DRAWBRIDGE_DATABASE: url.href },
    drop: () =>
      asSuperuser(async (client) => {
        await client.query(`drop database ${name} with (force)`);
        await client.query(`drop role ${name}`);
      }),
  };
}

/** Its content can then be copied: `reassign owned` would otherwise give the template itself to the owner of a copy. */
export const keepAsTemplate = (name: string): Promise<void> =>
  asSuperuser((client) => client.query(`alter database ${name} owner to current_user`));
