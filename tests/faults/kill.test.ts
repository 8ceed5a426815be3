/**
 * The server is killed in the middle of many writes, again and again: what it acknowledged is there, and
 * nothing is half done.
 */
import { test } from 'node:test';
import { databases, type DatabaseKind } from '../kit/server/database.ts';
import { killRepeatedly } from './kill-rounds.ts';

/** `npm run faults -- kills` does the same 200 times. */
const kills: Record<DatabaseKind, number> = { sqlite: 7, postgres: 3 };

for (const { kind, skip } of databases)
  test(
    `${kills[kind]} times killed while it writes to ${kind}, the server keeps every acknowledged change`,
    { skip },
    async (context) => context.diagnostic(await killRepeatedly({ kind, kills: kills[kind] })),
  );
