/** Puts a file that was fetched into the operator's downloads. */
import type { FileEntry } from '@drawbridge/contract/session/messages';
import { save } from '../../../ui/save.ts';
import type { Remote } from './remote.ts';
import type { Work } from './transfers.ts';

/** Pieces are handed to the browser in larger lots, which it may keep on disk. */
const lotBytes = 8 * 1_024 * 1_024;

export async function gather(
  content: AsyncIterable<Uint8Array<ArrayBuffer>>,
  at: (bytes: number) => void,
): Promise<Blob> {
  const lots: Blob[] = [];
  let lot: Uint8Array<ArrayBuffer>[] = [];
  let [inLot, bytes] = [0, 0];
  for await (const piece of content) {
    lot.push(piece);
    inLot += piece.length;
    at((bytes += piece.length));
    if (inLot < lotBytes) continue;
    lots.push(new Blob(lot));
    [lot, inLot] = [[], 0];
  }
  return new Blob([...lots, ...lot]);
}

export const fetchOne = (remote: Remote, folder: string, { name }: FileEntry): Work => ({
  name,
  direction: 'fetch',
  async run(report, signal) {
    const file = await remote.fetch(join(folder, name), signal);
    report.size(file.size);
    save(await gather(file.content, report.at), name);
  },
});

export const join = (folder: string, name: string): string => `${folder === '/' ? '' : folder}/${name}`;
