/** Reads the files to upload, with their folders, from a dialog or from a drop on the panel. */
import { activeDocument } from '../../../ui/active-document.ts';

export interface ChosenFile {
  /** Relative to the target folder, such as `photos/2026/one.jpg`. */
  path: string;
  file: File;
}

/** Opens the browser's file dialog. */
export function chooseFiles(folder: boolean): Promise<ChosenFile[]> {
  const { promise, resolve } = Promise.withResolvers<ChosenFile[]>();
  // Browsers open the dialog only for the window that was clicked.
  const input = activeDocument().createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.webkitdirectory = folder;
  input.addEventListener('change', () => resolve(Array.from(input.files ?? [], toChosenFile)));
  input.addEventListener('cancel', () => resolve([]));
  input.click();
  return promise;
}

const toChosenFile = (file: File): ChosenFile => ({ path: file.webkitRelativePath || file.name, file });

export async function droppedFiles(transfer: DataTransfer): Promise<ChosenFile[]> {
  // Read synchronously, because the browser empties the list after the event.
  const items = Array.from(transfer.items, (item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
  }));
  const found = await Promise.all(
    items.map(async ({ entry, file }) => (entry ? filesOf(entry, '') : file ? [toChosenFile(file)] : [])),
  );
  return found.flat();
}

async function filesOf(entry: FileSystemEntry, below: string): Promise<ChosenFile[]> {
  const path = `${below}${entry.name}`;
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ path, file }];
  }
  const inside = await entriesOf((entry as FileSystemDirectoryEntry).createReader());
  const found = await Promise.all(inside.map((each) => filesOf(each, `${path}/`)));
  return found.flat();
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

/** A reader returns up to a hundred entries per call and an empty list at the end. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}
