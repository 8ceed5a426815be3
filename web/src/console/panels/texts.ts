/** The words of the panels that have many. */

const mostNamed = 10;

/** The first of many, and how many more there are. */
const few = (names: readonly string[]): string =>
  names.length <= mostNamed
    ? names.join(', ')
    : `${names.slice(0, mostNamed).join(', ')} and ${names.length - mostNamed} more`;

export const panelTexts = {
  terminal: {
    title: 'Terminal',
    loading: 'Opening a terminal…',
    failed: 'The terminal could not be loaded. Check your connection and open the panel again.',
    add: 'New terminal',
    close: 'Close this terminal',
    tab: (number: number) => `Terminal ${number}`,
    ended: (why: string) => `${why} Press Enter for a new one.`,
    lost: 'The connection was lost, and the shell with it.',
    screen: 'Terminal of the device',
  },
  files: {
    title: 'Files',
    loading: 'Reading the folder…',
    empty: 'This folder is empty. Drop files here to bring them to the device.',
    up: 'One folder up',
    home: 'Home folder',
    again: 'Read anew',
    place: 'Folder on the device',
    newFolder: 'New folder',
    newFolderName: 'Name of the new folder',
    bringFiles: 'Bring files',
    bringFolder: 'Bring a folder',
    fetch: 'Fetch',
    fetchOf: (name: string) => `Fetch ${name}`,
    rename: 'Rename',
    renameTo: (name: string) => `New name of ${name}`,
    remove: 'Remove',
    removeTitle: (name: string) => `Remove ${name}?`,
    removeText: 'It is removed from the device for good. A folder goes with everything in it.',
    replaceTitle: (names: readonly string[]) =>
      names.length === 1 ? `${names[0]} is there already` : `${names.length} files are there already`,
    replaceText: (names: readonly string[]) =>
      names.length === 1
        ? 'Do you want to replace it?'
        : `${few(names)}. Do you want to replace all of them, or leave them out and bring the others?`,
    replace: 'Replace',
    leaveOut: 'Leave out',
    leftOut: (names: readonly string[]) => `Left out, as the device could not read it: ${few(names)}`,
    beyond: (limit: number) => `all entries after the first ${limit}`,
    othersIn: (name: string, count: number) => `${count} entries of ${name} beyond those that are shown`,
    cut: (shown: number, total: number) =>
      `This folder holds ${total} entries. The first ${shown} in the order of their names are shown; use the terminal for the others.`,
    cancel: 'Cancel',
    ok: 'OK',
    actions: (name: string) => `What to do with ${name}`,
    name: 'Name',
    size: 'Size',
    time: 'Changed',
    transfers: 'Transfers',
    waiting: 'waiting',
    done: 'done',
    stopped: 'stopped',
    stop: (name: string) => `Stop ${name}`,
    clear: 'Clear what is done',
    counting: 'Reading the folders…',
    progress: (done: string, all: string) => `${done} of ${all}`,
    dropHere: 'Drop to bring them here',
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
    unmute: 'Switch my microphone on',
    declined: (why: string) => why || 'The call was not taken.',
    ended: 'The call has ended.',
    noMicrophone: 'Your browser does not give the microphone to this page.',
  },
} as const;
