/** The files of the device: folders to look into, files to fetch and to bring. */
import type { FileEntry } from '@drawbridge/contract/session/messages';
import type { RemoteSession } from '../../session/session.ts';
import { askInDialog } from '../../ui/ask-in-dialog.ts';
import { iconButton } from '../../ui/button.ts';
import { element, fill } from '../../ui/element.ts';
import { prompt } from '../../ui/prompt.ts';
import { readableName } from '../../ui/readable-text.ts';
import { uploadAll } from './files/upload-all.ts';
import { chooseFiles, droppedFiles, type ChosenFile } from './files/choose-files.ts';
import { drawList, type ListActions } from './files/list.ts';
import { createRemoteFiles, type RemoteFiles } from './files/remote-files.ts';
import { downloadFolderJob } from './files/download-folder.ts';
import { downloadFileJob, joinPath } from './files/download-file.ts';
import { createFileExchanges } from './files/file-exchange.ts';
import { drawTransfers } from './files/transfer-list.ts';
import { createTransfers } from './files/transfers.ts';
import type { ConsolePanel } from './console-panel.ts';
import { consolePanelTexts } from './texts.ts';

const { files: texts } = consolePanelTexts;

export function createFilesPanel(): ConsolePanel {
  let changed = (): void => {};
  const transfers = createTransfers(() => changed());
  let remote: RemoteFiles | undefined;
  let folder = '';

  function open(container: HTMLElement, session: RemoteSession): () => void {
    remote ??= createRemoteFiles(createFileExchanges(session));
    folder ||= session.device.home || '/';
    const list = element('div', { class: 'files-list' });
    const pathField = element('input', {
      class: 'field',
      'aria-label': texts.place,
      dir: 'auto',
      spellcheck: 'false',
    });
    const running = element('div', { class: 'files-transfers' });
    const show = (path: string): Promise<void> => {
      folder = path;
      pathField.value = path;
      return showListing(remote!, list, { path, actions: actionsFor(show) });
    };
    const upload = async (chosen: readonly ChosenFile[]): Promise<void> => {
      await uploadAll({ remote: remote!, transfers, folder, chosen, mayReplace });
      await show(folder);
    };
    changed = () => fill(running, ...drawTransfers(transfers));
    changed();
    fill(container, bar(session, show, upload), pathForm(pathField, show), list, running);
    acceptDrops(container, upload);
    void show(folder);
    return () => (changed = () => {});
  }

  const actionsFor = (show: (path: string) => Promise<void>): ListActions => ({
    enter: (entry) => void show(joinPath(folder, entry.name)),
    download: (entry) =>
      void transfers.add(
        (entry.kind === 'folder' ? downloadFolderJob : downloadFileJob)(remote!, folder, entry),
      ),
    rename: (entry) => void rename(entry).then(() => show(folder)),
    remove: (entry) => void remove(entry).then(() => show(folder)),
  });

  async function rename({ name }: FileEntry): Promise<void> {
    const wanted = await prompt({
      title: texts.renameTo(readableName(name)),
      value: name,
      ok: texts.rename,
      cancel: texts.cancel,
    });
    if (wanted && wanted !== name)
      await showFailure(remote!.rename(joinPath(folder, name), joinPath(folder, wanted)));
  }

  async function remove({ name }: FileEntry): Promise<void> {
    const isSure = await askInDialog({
      title: texts.removeTitle(readableName(name)),
      text: texts.removeText,
      answers: [{ text: texts.remove, answer: true, look: 'danger' }],
      cancel: texts.cancel,
    });
    if (isSure) await showFailure(remote!.remove(joinPath(folder, name)));
  }

  const makeFolder = async (show: (path: string) => Promise<void>): Promise<void> => {
    const name = await prompt({ title: texts.newFolderName, value: '', ok: texts.ok, cancel: texts.cancel });
    if (!name) return;
    await showFailure(remote!.createFolder(joinPath(folder, name)));
    await show(folder);
  };

  const bar = (
    session: RemoteSession,
    show: (path: string) => Promise<void>,
    upload: (chosen: readonly ChosenFile[]) => Promise<void>,
  ): HTMLElement =>
    element(
      'div',
      { class: 'tools', role: 'group' },
      iconButton({ icon: 'up', title: texts.up, press: () => void show(parentOf(folder)) }),
      iconButton({ icon: 'home', title: texts.home, press: () => void show(session.device.home || '/') }),
      iconButton({ icon: 'again', title: texts.again, press: () => void show(folder) }),
      iconButton({ icon: 'add', title: texts.newFolder, press: () => void makeFolder(show) }),
      iconButton({
        icon: 'bring',
        title: texts.bringFiles,
        press: () => void chooseFiles(false).then(upload),
      }),
      iconButton({
        icon: 'files',
        title: texts.bringFolder,
        press: () => void chooseFiles(true).then(upload),
      }),
    );

  return { id: 'files', title: texts.title, icon: 'files', permission: 'agent_file_transfer', open };
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

/** Shows a refusal, and waits until it was read. */
const showFailure = (work: Promise<void>): Promise<unknown> =>
  work.catch((error: Error) =>
    askInDialog({ title: error.message, text: '', answers: [], cancel: texts.ok }),
  );

const mayReplace = async (given: readonly string[]): Promise<boolean> => {
  const paths = given.map(readableName);
  const answer = await askInDialog({
    title: texts.replaceTitle(paths),
    text: texts.replaceText(paths),
    answers: [{ text: texts.replace, answer: true, look: 'danger' }],
    cancel: texts.leaveOut,
  });
  return answer === true;
};

function pathForm(pathField: HTMLInputElement, show: (path: string) => Promise<void>): HTMLElement {
  const go = (event: SubmitEvent): void => {
    event.preventDefault();
    void show(pathField.value.startsWith('/') ? pathField.value : `/${pathField.value}`);
  };
  return element('form', { class: 'files-place', onsubmit: go }, pathField);
}

async function showListing(
  remote: RemoteFiles,
  list: HTMLElement,
  { path, actions }: { path: string; actions: ListActions },
): Promise<void> {
  list.dataset['path'] = path;
  fill(list, element('p', { class: 'quiet' }, texts.loading));
  const listing = await remote.list(path).catch((error: Error) => error);
  // Another folder may have been asked for meanwhile.
  if (list.dataset['path'] !== path) return;
  if (listing instanceof Error)
    fill(list, element('p', { class: 'notice bad', role: 'alert' }, listing.message));
  else fill(list, ...drawList(listing, actions));
}

function acceptDrops(container: HTMLElement, upload: (chosen: readonly ChosenFile[]) => Promise<void>): void {
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
    if (event.dataTransfer) void droppedFiles(event.dataTransfer).then(upload);
  });
}
