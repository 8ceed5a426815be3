/** What the operator gives to be brought: files from a dialog or dropped on the panel, with the folders they lie in. */

export interface Chosen {
  /** Below the folder they are brought to, such as `photos/2026/one.jpg`. */
  path: string;
  file: File;
}

/** Opens the browser's own dialog. */
export function chooseFiles(folder: boolean): Promise<Chosen[]> {
  const { promise, resolve } = Promise.withResolvers<Chosen[]>();
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.webkitdirectory = folder;
  input.addEventListener('change', () => resolve(Array.from(input.files ?? [], chosen)));
  input.addEventListener('cancel', () => resolve([]));
  input.click();
  return promise;
}

const chosen = (file: File): Chosen => ({ path: file.webkitRelativePath || file.name, file });

export async function droppedFiles(transfer: DataTransfer): Promise<Chosen[]> {
  // Asked for at once: after the first wait the browser has taken the list away.
  const items = Array.from(transfer.items, (item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
  }));
  const found = await Promise.all(
    items.map(async ({ entry, file }) => (entry ? filesOf(entry, '') : file ? [chosen(file)] : [])),
  );
  return found.flat();
}

async function filesOf(entry: FileSystemEntry, below: string): Promise<Chosen[]> {
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

/** A reader gives a hundred at a time, and none at the end. */
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
