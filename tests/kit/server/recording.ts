/** A recording that is known to the store but has no stored bytes. */
import type { ChangeInput } from '@drawbridge/server/store/changes';
import type { Store } from '@drawbridge/server/store/store';
import { must } from './account.ts';

type Chunk = ChangeInput<'recordings/chunk'>;

export const makeChunk = (accountId: number, id: number, given: Partial<Chunk> = {}): Chunk => ({
  accountId,
  id,
  number: 0,
  from: 0,
  to: 5_000,
  size: 1_000,
  digest: 'ab'.repeat(32),
  whole: true,
  blobKey: `place-${id}-${given.number ?? 0}`,
  publicKey: 'k'.repeat(43),
  last: false,
  secret: `secret of ${id}`,
  ...given,
});

/** Adds a recording of one chunk to a session; returns its id. */
export async function recordSession(
  store: Store,
  { accountId, sessionId }: { accountId: number; sessionId: number },
  given: Partial<Chunk> = {},
): Promise<number> {
  const begun = { accountId, sessionId, tokenDigest: 'a digest' };
  const { id } = await must(store, 'recordings/begin', begun);
  await must(store, 'recordings/chunk', makeChunk(accountId, id, given));
  return id;
}
