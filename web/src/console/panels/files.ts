/** The files of the device: folders to look into, files to fetch and to bring. */
import type { FileEntry } from '@drawbridge/contract/session/messages';
import type { RemoteSession } from '../../session/session.ts';
import { ask } from '../../ui/ask.ts';
import { tool } from '../../ui/button.ts';
import { element, fill } from '../../ui/element.ts';
import { prompt } from '../../ui/prompt.ts';
import { readableName } from '../../ui/readable-text.ts';
import { bringAll } from './files/bringing.ts';
import { chooseFiles, droppedFiles, type Chosen } from './files/choosing.ts';
import { drawList, type ListActions } from './files/list.ts';
import { createRemote, type Remote } from './files/remote.ts';
import { fetchFolder } from './files/saving-folder.ts';
import { fetchOne, join } from './files/saving.ts';
import { createFileExchanges } from './files/file-exchange.ts';
import { drawTransfers } from './files/transfer-list.ts';
import { createTransfers } from './files/transfers.ts';
import type { ConsolePanel } from './console-panel.ts';
import { consolePanelTexts } from './texts.ts';

const { files: words } = consolePanelTexts;

export function createFilesPanel(): ConsolePanel {
  let changed = (): void => {};
  const transfers = createTransfers(() => changed());
  let remote: Remote | undefined;
  let folder = '';

  function open(container: HTMLElement, session: RemoteSession): () => void {
    remote ??= createRemote(createFileExchanges(session));
    folder ||= session.device.home || '/';
    const list = element('div', { class: 'files-list' });
    const place = element('input', {
      class: 'field',
      'aria-label': words.place,
      dir: 'auto',
      spellcheck: 'false',
    });
    const running = element('div', { class: 'files-transfers' });
    const show = (path: string): Promise<void> => {
      folder = path;
      place.value = path;
      return look(remote!, list, { path, actions: actionsFor(show) });
    };
    const bring = async (chosen: readonly Chosen[]): Promise<void> => {
      await bringAll({ remote: remote!, transfers, folder, chosen, mayReplace });
      await show(folder);
    };
    changed = () => fill(running, ...drawTransfers(transfers));
    changed();
    fill(container, bar(session, show, bring), placeForm(place, show), list, running);
    acceptDrops(container, bring);
    void show(folder);
    return () => (changed = () => {});
  }

  const actionsFor = (show: (path: string) => Promise<void>): ListActions => ({
    enter: (entry) => void show(join(folder, entry.name)),
    fetch: (entry) =>
      void transfers.add((entry.kind === 'folder' ? fetchFolder : fetchOne)(remote!, folder, entry)),
    rename: (entry) => void rename(entry).then(() => show(folder)),
    remove: (entry) => void remove(entry).then(() => show(folder)),
  });

  async function rename({ name }: FileEntry): Promise<void> {
    const wanted = await prompt({
      title: words.renameTo(readableName(name)),
      value: name,
      ok: words.rename,
      cancel: words.cancel,
    });
    if (wanted && wanted !== name) await told(remote!.rename(join(folder, name), join(folder, wanted)));
  }

  async function remove({ name }: FileEntry): Promise<void> {
    const isSure = await ask({
      title: words.removeTitle(readableName(name)),
      text: words.removeText,
      answers: [{ text: words.remove, answer: true, look: 'danger' }],
      cancel: words.cancel,
    });
    if (isSure) await told(remote!.remove(join(folder, name)));
  }

  const makeFolder = async (show: (path: string) => Promise<void>): Promise<void> => {
    const name = await prompt({ title: words.newFolderName, value: '', ok: words.ok, cancel: words.cancel });
    if (!name) return;
    await told(remote!.folder(join(folder, name)));
    await show(folder);
  };

  const bar = (
    session: RemoteSession,
    show: (path: string) => Promise<void>,
    bring: (chosen: readonly Chosen[]) => Promise<void>,
  ): HTMLElement =>
    element(
      'div',
      { class: 'tools', role: 'group' },
      tool({ icon: 'up', title: words.up, press: () => void show(parentOf(folder)) }),
      tool({ icon: 'home', title: words.home, press: () => void show(session.device.home || '/') }),
      tool({ icon: 'again', title: words.again, press: () => void show(folder) }),
      tool({ icon: 'add', title: words.newFolder, press: () => void makeFolder(show) }),
      tool({ icon: 'bring', title: words.bringFiles, press: () => void chooseFiles(false).then(bring) }),
      tool({ icon: 'files', title: words.bringFolder, press: () => void chooseFiles(true).then(bring) }),
    );

  return { id: 'files', title: words.title, icon: 'files', permission: 'agent_file_transfer', open };
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

/** Shows a refusal, and waits until it was read. */
const told = (work: Promise<void>): Promise<unknown> =>
  work.catch((error: Error) => ask({ title: error.message, text: '', answers: [], cancel: words.ok }));

const mayReplace = async (given: readonly string[]): Promise<boolean> => {
  const paths = given.map(readableName);
  const answer = await ask({
    title: words.replaceTitle(paths),
    text: words.replaceText(paths),
    answers: [{ text: words.replace, answer: true, look: 'danger' }],
    cancel: words.leaveOut,
  });
  return answer === true;
};

function placeForm(place: HTMLInputElement, show: (path: string) => Promise<void>): HTMLElement {
  const go = (event: SubmitEvent): void => {
    event.preventDefault();
    void show(place.value.startsWith('/') ? place.value : `/${place.value}`);
  };
  return element('form', { class: 'files-place', onsubmit: go }, place);
}

async function look(
  remote: Remote,
  list: HTMLElement,
  { path, actions }: { path: string; actions: ListActions },
): Promise<void> {
  list.dataset['path'] = path;
  fill(list, element('p', { class: 'quiet' }, words.loading));
  const listing = await remote.list(path).catch((error: Error) => error);
  // Another folder may have been asked for meanwhile.
  if (list.dataset['path'] !== path) return;
  if (listing instanceof Error)
    fill(list, element('p', { class: 'notice bad', role: 'alert' }, listing.message));
  else fill(list, ...drawList(listing, actions));
}

function acceptDrops(container: HTMLElement, bring: (chosen: readonly Chosen[]) => Promise<void>): void {
  const mark =
    (isOver: boolean) =>
    (event: DragEvent): void => {
      event.preventDefault();
      container.classList.toggle('dropping', isOver);
    };
  container.addEventListener('dragover', mark(true));
  container.addEventListener('dragleave', mark(false));
  container.addEventListener('drop', (event) => {
    mark(false)(event);
    if (event.dataTransfer) void droppedFiles(event.dataTransfer).then(bring);
  });
}
