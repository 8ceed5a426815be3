/** The texts of the terminal, files, software and voice panels. */

const maxNamed = 10;

/** Lists the first names and says how many more there are. */
const listSome = (names: readonly string[]): string =>
  names.length <= maxNamed
    ? names.join(', ')
    : `${names.slice(0, maxNamed).join(', ')} and ${names.length - maxNamed} more`;

export const consolePanelTexts = {
  terminal: {
    title: 'Terminal',
    loading: 'Opening a terminal…',
    failed: 'The terminal could not be loaded. Check your connection and open the panel again.',
    add: 'New terminal',
    close: 'Close this terminal',
    tab: (number: number) => `Terminal ${number}`,
    ended: (why: string) => `${why} Press Enter to open a new terminal.`,
    lost: 'The connection was lost, and the shell was closed.',
    screen: 'Terminal of the device',
  },
  files: {
    title: 'Files',
    loading: 'Reading the folder…',
    empty: 'This folder is empty. Drop files here to upload them to the device.',
    up: 'One folder up',
    home: 'Home folder',
    again: 'Refresh',
    place: 'Folder on the device',
    newFolder: 'New folder',
    newFolderName: 'Name of the new folder',
    bringFiles: 'Upload files',
    bringFolder: 'Upload a folder',
    fetch: 'Download',
    fetchOf: (name: string) => `Download ${name}`,
    rename: 'Rename',
    renameTo: (name: string) => `New name of ${name}`,
    remove: 'Remove',
    removeTitle: (name: string) => `Remove ${name}?`,
    removeText: 'It is removed from the device permanently. A folder is removed with everything in it.',
    replaceTitle: (names: readonly string[]) =>
      names.length === 1 ? `${names[0]} already exists` : `${names.length} files already exist`,
    replaceText: (names: readonly string[]) =>
      names.length === 1
        ? 'Do you want to replace it?'
        : `${listSome(names)}. Do you want to replace all of them, or skip them and upload the others?`,
    replace: 'Replace',
    leaveOut: 'Skip',
    leftOut: (names: readonly string[]) =>
      `Skipped, because the device could not read it: ${listSome(names)}`,
    beyond: (limit: number) => `all entries after the first ${limit}`,
    othersIn: (name: string, count: number) => `${count} entries of ${name} beyond those that are shown`,
    cut: (shown: number, total: number) =>
      `This folder has ${total} entries. The first ${shown}, sorted by name, are shown. Use the terminal for the others.`,
    cancel: 'Cancel',
    ok: 'OK',
    actions: (name: string) => `Actions for ${name}`,
    name: 'Name',
    size: 'Size',
    time: 'Changed',
    transfers: 'Transfers',
    waiting: 'waiting',
    done: 'done',
    stopped: 'stopped',
    stop: (name: string) => `Stop ${name}`,
    clear: 'Clear finished transfers',
    counting: 'Reading the folders…',
    progress: (done: string, all: string) => `${done} of ${all}`,
    rate: (bytes: string) => `${bytes}/s`,
    timeLeft: (duration: string) => `${duration} left`,
    dropOnScreen: (folder: string) => `Drop to upload to ${folder}`,
  },
  software: {
    title: 'Installed software',
    loading: 'Asking the device…',
    search: 'Search',
    count: (shown: number, all: number) =>
      shown === all ? `${all} programs` : `${shown} of ${all} programs`,
    none: 'The device lists no programs.',
    name: 'Name',
    version: 'Version',
    again: 'Ask again',
  },
  voice: {
    title: 'Call',
    idle: 'The person at the device is asked before you hear each other.',
    ring: 'Call',
    ringing: 'Ringing…',
    talking: 'You hear each other.',
    hangUp: 'Hang up',
    mute: 'Mute my microphone',
    unmute: 'Unmute my microphone',
    declined: (why: string) => why || 'The call was not answered.',
    ended: 'The call has ended.',
    noMicrophone: 'Your browser does not allow this page to use the microphone.',
  },
} as const;
