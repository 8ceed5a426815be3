/** What a server remembers of connections to PostgreSQL that it used and gave back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openPool } from '@drawbridge/server/store/engine/postgres';
import { openPostgresLink, type PostgresLink } from '@drawbridge/server/store/engine/primary/postgres-link';
import { skipWithout } from '../../../kit/requirements.ts';
import { createStorePlace } from '../test-store.ts';

const uses = 20_000;
/** Anything that is kept of each use takes more: a reference to a promise alone takes 80 bytes. */
const maxBytesOfEach = 20;

async function use(link: PostgresLink): Promise<void> {
  for (let count = 0; count < uses; count += 1) (await link.connect()).release();
}

test(
  'nothing stays of a connection that was used and given back',
  { skip: skipWithout('PostgreSQL') },
  async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const heapBytes = (): number => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    await using made = await createStorePlace('postgres');
    const link = await openPostgresLink(made.place.url!, made.place.folder, (url) => openPool(url, 1));
    await use(link); // compiles the code

    const before = heapBytes();
    await use(link);
    const grown = heapBytes() - before;
    await link.close();

    assert.ok(grown < uses * maxBytesOfEach, `${Math.round(grown / uses)} bytes of each`);
  },
);
