/** The files panel: browses the folders of the device and starts downloads and uploads. */
import type { FileEntry } from '@drawbridge/contract/session/messages';
import type { RemoteSession } from '@drawbridge/session/operator/session';
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
import { showTransfers } from './files/transfer-list.ts';
import { createTransfers, type Transfers } from './files/transfers.ts';
import type { ConsolePanel } from './console-panel.ts';
import { consolePanelTexts } from './texts.ts';

const { files: texts } = consolePanelTexts;

interface FilesPanelState {
  transfers: Transfers;
  /** Created when the panel is first opened. */
  remote: RemoteFiles | undefined;
  folder: string;
  /** Draws the transfers again while the panel is open. */
  onTransfersChanged(): void;
  /** Undefined while the panel is closed. */
  view: FilesView | undefined;
}

/** What the open panel shows and works with. */
interface FilesView {
  state: FilesPanelState;
  session: RemoteSession;
  remote: RemoteFiles;
  list: HTMLElement;
  pathField: HTMLInputElement;
  /** The list is loaded again; `again` when it must be loaded once more after that. */
  refreshing: { again: boolean } | undefined;
}

export function createFilesPanel(): ConsolePanel {
  const state: FilesPanelState = {
    transfers: createTransfers(() => state.onTransfersChanged()),
    remote: undefined,
    folder: '',
    onTransfersChanged: () => {},
    view: undefined,
  };
  return {
    id: 'files',
    title: texts.title,
    icon: 'files',
    kind: 'file',
    isDetachable: true,
    open: (container, session) => openPanel(state, container, session),
    drop: {
      hint: (session) => texts.dropOnScreen(readableName(folderOf(state, session))),
      take: (data) => state.view && uploadDropped(state.view, data),
      save: (files) =>
        files.forEach(({ folder, ...file }) => state.view && download(state.view, folder, file)),
    },
  };
}

const folderOf = ({ folder }: FilesPanelState, { device }: RemoteSession): string =>
  folder || device.home || '/';

function openPanel(state: FilesPanelState, container: HTMLElement, session: RemoteSession): () => void {
  const remote = (state.remote ??= createRemoteFiles(createFileExchanges(session)));
  state.folder = folderOf(state, session);
  const list = element('div', { class: 'files-list' });
  const pathField = element('input', {
    class: 'field',
    'aria-label': texts.place,
    dir: 'auto',
    spellcheck: 'false',
  });
  const running = element('div', { class: 'files-transfers' });
  const view: FilesView = { state, session, remote, list, pathField, refreshing: undefined };
  const transferList = showTransfers(running, state.transfers);
  Object.assign(state, { view, onTransfersChanged: transferList.refresh });
  fill(container, bar(view), pathForm(view), list, running);
  acceptDrops(container, view);
  void showFolder(view, state.folder);
  return () => {
    transferList.stop();
    Object.assign(state, { view: undefined, onTransfersChanged: () => {} });
  };
}

async function showFolder(view: FilesView, path: string): Promise<void> {
  const { state, list, pathField } = view;
  state.folder = path;
  pathField.value = path;
  list.dataset['path'] = path;
  fill(list, element('p', { class: 'quiet' }, texts.loading));
  await drawFolder(view, path);
}

async function drawFolder(view: FilesView, path: string): Promise<void> {
  const { remote, list } = view;
  const listing = await remote.list(path).catch((error: Error) => error);
  // The person may have opened another folder meanwhile.
  if (list.dataset['path'] !== path) return;
  if (listing instanceof Error)
    fill(list, element('p', { class: 'notice bad', role: 'alert' }, listing.message));
  else fill(list, ...drawList(listing, actionsFor(view)));
}

const refresh = (view: FilesView): Promise<void> => showFolder(view, view.state.folder);

/** Draws the folder again after an upload, without hiding the list meanwhile; many uploads cause few requests. */
async function refreshListed(state: FilesPanelState): Promise<void> {
  const { view } = state;
  if (!view) return;
  if (view.refreshing) return void (view.refreshing.again = true);
  do {
    view.refreshing = { again: false };
    await drawFolder(view, state.folder);
  } while (view.refreshing.again);
  view.refreshing = undefined;
}

const pathIn = ({ state }: FilesView, name: string): string => joinPath(state.folder, name);

const actionsFor = (view: FilesView): ListActions => ({
  enter: (entry) => void showFolder(view, pathIn(view, entry.name)),
  download: (entry) => download(view, view.state.folder, entry),
  rename: (entry) => void rename(view, entry).then(() => refresh(view)),
  remove: (entry) => void remove(view, entry).then(() => refresh(view)),
});

function download(
  { state, remote }: FilesView,
  folder: string,
  entry: Pick<FileEntry, 'kind' | 'name'>,
): void {
  const toJob = entry.kind === 'folder' ? downloadFolderJob : downloadFileJob;
  void state.transfers.add(toJob(remote, folder, entry));
}

async function upload(view: FilesView, chosen: readonly ChosenFile[]): Promise<void> {
  const { remote, state } = view;
  const onUploaded = (): void => void refreshListed(state);
  await uploadAll({
    remote,
    transfers: state.transfers,
    folder: state.folder,
    chosen,
    mayReplace,
    onUploaded,
  });
}

const uploadDropped = (view: FilesView, data: DataTransfer): void =>
  void droppedFiles(data).then((chosen) => upload(view, chosen));

async function rename(view: FilesView, { name }: FileEntry): Promise<void> {
  const wanted = await prompt({
    title: texts.renameTo(readableName(name)),
    value: name,
    ok: texts.rename,
    cancel: texts.cancel,
  });
  if (wanted && wanted !== name)
    await showFailure(view.remote.rename(pathIn(view, name), pathIn(view, wanted)));
}

async function remove(view: FilesView, { name }: FileEntry): Promise<void> {
  const isSure = await askInDialog({
    title: texts.removeTitle(readableName(name)),
    text: texts.removeText,
    answers: [{ text: texts.remove, answer: true, look: 'danger' }],
    cancel: texts.cancel,
  });
  if (isSure) await showFailure(view.remote.remove(pathIn(view, name)));
}

async function createFolder(view: FilesView): Promise<void> {
  const name = await prompt({ title: texts.newFolderName, value: '', ok: texts.ok, cancel: texts.cancel });
  if (!name) return;
  await showFailure(view.remote.createFolder(pathIn(view, name)));
  await refresh(view);
}

function bar(view: FilesView): HTMLElement {
  const uploadChosen = (isFolder: boolean): void =>
    void chooseFiles(isFolder).then((chosen) => upload(view, chosen));
  const goUp = (): void => void showFolder(view, parentOf(view.state.folder));
  const goHome = (): void => void showFolder(view, view.session.device.home || '/');
  return element(
    'div',
    { class: 'tools', role: 'group' },
    iconButton({ icon: 'up', title: texts.up, press: goUp }),
    iconButton({ icon: 'home', title: texts.home, press: goHome }),
    iconButton({ icon: 'again', title: texts.again, press: () => void refresh(view) }),
    iconButton({ icon: 'add', title: texts.newFolder, press: () => void createFolder(view) }),
    iconButton({ icon: 'bring', title: texts.bringFiles, press: () => uploadChosen(false) }),
    iconButton({ icon: 'files', title: texts.bringFolder, press: () => uploadChosen(true) }),
  );
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

/** Shows a failure and waits until the person closes the dialog. */
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

function pathForm(view: FilesView): HTMLElement {
  const { pathField } = view;
  const go = (event: SubmitEvent): void => {
    event.preventDefault();
    void showFolder(view, pathField.value.startsWith('/') ? pathField.value : `/${pathField.value}`);
  };
  return element('form', { class: 'files-place', onsubmit: go }, pathField);
}

function acceptDrops(container: HTMLElement, view: FilesView): void {
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
    if (event.dataTransfer) uploadDropped(view, event.dataTransfer);
  });
}
