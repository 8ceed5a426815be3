/** Puts what was fetched into the operator's downloads: a file as it is, a folder as one archive. */
import type { FileEntry } from '@drawbridge/contract/session/words';
import { downloadZip } from 'client-zip';
import { save } from '../../../ui/save.ts';
import type { Remote } from './remote.ts';
import type { Work } from './transfers.ts';

type Report = Parameters<Work['run']>[0];

/** Pieces are handed to the browser in larger lots, which it may keep on disk. */
const lotBytes = 8 * 1_024 * 1_024;

async function gather(
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

export const fetchFolder = (remote: Remote, folder: string, { name }: FileEntry): Work => ({
  name: `${name}.zip`,
  direction: 'fetch',
  async run(report, signal) {
    const archive = downloadZip(filesBelow(remote, { path: join(folder, name), as: name }, report, signal));
    save(await gather(chunksOf(archive), () => {}), `${name}.zip`);
  },
});

interface Below {
  path: string;
  as: string;
}

/** Every file below a folder, one after the other; links are left out, as they may lead around in circles. */
async function* filesBelow(remote: Remote, { path, as }: Below, report: Report, signal: AbortSignal) {
  const todo: Below[] = [{ path, as }];
  let fetched = 0;
  for (let next = todo.pop(); next; next = todo.pop()) {
    signal.throwIfAborted();
    const entries = await remote.list(next.path);
    if (entries.length === 0) yield { name: `${next.as}/` };
    for (const entry of entries) {
      const below = { path: join(next.path, entry.name), as: `${next.as}/${entry.name}` };
      if (entry.kind === 'folder') todo.push(below);
      if (entry.kind !== 'file') continue;
      const { content, time } = await remote.fetch(below.path, signal);
      const before = fetched;
      yield {
        name: below.as,
        lastModified: new Date(time * 1_000),
        input: streamOf(content, (bytes) => report.at((fetched = before + bytes))),
      };
    }
  }
}

const streamOf = (
  content: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  at: (bytes: number) => void,
): ReadableStream => {
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(stream) {
      const { done, value } = await content.next();
      if (done) return stream.close();
      at((bytes += value.length));
      stream.enqueue(value);
    },
  });
};

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body!.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

export const join = (folder: string, name: string): string => `${folder === '/' ? '' : folder}/${name}`;
