/** Brings chosen files with their folders into one folder of the device, and asks before it replaces anything. */
import { ask } from '../../../ui/ask.ts';
import { panelTexts } from '../texts.ts';
import type { Chosen } from './choosing.ts';
import type { Remote } from './remote.ts';
import { join } from './saving.ts';
import type { Transfers } from './transfers.ts';

const { files: words } = panelTexts;

export interface Bringings {
  remote: Remote;
  transfers: Transfers;
  folder: string;
  chosen: readonly Chosen[];
}

export async function bringAll({ remote, transfers, folder, chosen }: Bringings): Promise<void> {
  await makeFolders(remote, folder, chosen);
  const there = new Set((await remote.list(folder).catch(() => [])).map(({ name }) => name));
  const works: Promise<void>[] = [];
  for (const { path, file } of chosen) {
    const isThere = there.has(path);
    if (isThere && !(await mayReplace(path))) continue;
    works.push(
      transfers.add({
        name: path,
        direction: 'bring',
        run(report, signal) {
          report.size(file.size);
          const time = Math.floor(file.lastModified / 1_000);
          const target = join(folder, path);
          return remote.bring(
            { path: target, content: file, time, replace: isThere, onProgress: report.at },
            signal,
          );
        },
      }),
    );
  }
  await Promise.all(works);
}

const mayReplace = (name: string): Promise<true | undefined> =>
  ask({
    title: words.replaceTitle(name),
    text: words.replaceText,
    answers: [{ text: words.replace, answer: true as const, look: 'danger' }],
    cancel: words.skip,
  });

/** From the outermost to the innermost; one that is there already is fine. */
async function makeFolders(remote: Remote, folder: string, chosen: readonly Chosen[]): Promise<void> {
  const needed = new Set(chosen.flatMap(({ path }) => foldersOf(path)));
  for (const each of [...needed].toSorted((a, b) => a.length - b.length))
    await remote.folder(join(folder, each)).catch(() => {});
}

const foldersOf = (path: string): string[] => {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
};
