/** Reads every entry that a search finds, page by page, or nothing. */
import type { Client } from 'ldapts';
import type { FailedReading } from '../../domain/people/directory-connection.ts';
import { byteAttributes } from '../../domain/people/directory-entries.ts';
import type { RawEntry } from './entries.ts';

export interface DirectorySearch {
  base: string;
  filter: string;
  attributes: string[];
}

const pageSize = 500;

/**
 * Every entry that the server shows. The client takes an empty page for the last one, even if the server says that more
 * follow. The last page can be empty by chance, but not again with another page size.
 */
export async function readAll(
  client: Pick<Client, 'searchPaginated'>,
  search: DirectorySearch,
  maxEntries: number,
): Promise<RawEntry[] | FailedReading> {
  for (const size of [pageSize, pageSize - 1]) {
    const entries = await readPages(client, search, { size, maxEntries });
    if (entries) return entries;
  }
  return { failure: 'incomplete' };
}

/** Undefined if the last page was empty. */
async function readPages(
  client: Pick<Client, 'searchPaginated'>,
  { base, ...search }: DirectorySearch,
  { size, maxEntries }: { size: number; maxEntries: number },
): Promise<RawEntry[] | FailedReading | undefined> {
  const entries: RawEntry[] = [];
  let lastPage = 0;
  // Without a size limit of its own: with one, the client returns what was cut off as if it were whole.
  const options = { ...search, explicitBufferAttributes: byteAttributes, paged: { pageSize: size } };
  for await (const { searchEntries } of client.searchPaginated(base, options)) {
    lastPage = searchEntries.length;
    entries.push(...searchEntries);
    if (entries.length > maxEntries) return { failure: 'too_large' };
  }
  return entries.length > 0 && lastPage === 0 ? undefined : entries;
}
