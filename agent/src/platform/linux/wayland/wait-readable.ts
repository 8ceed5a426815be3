/** Waits for data on file descriptors that Node cannot wait for. One thread of the pool waits for all of them. */
import { readSync, writeSync } from 'node:fs';
import { loadLibc, openPipe, type Libc } from './libc.ts';

const readable = 1;
const entryBytes = 8;

interface State {
  libc: Libc;
  listeners: Map<number, () => void>;
  /** A pipe that ends the current wait. */
  wake: { read: number; write: number };
  isWaiting: boolean;
}

let shared: State | undefined;

/** Calls the listener whenever the descriptor has data or was closed by the other side; the returned function ends that. */
export async function onReadable(fd: number, listener: () => void): Promise<() => void> {
  const libc = await loadLibc();
  const state = (shared ??= start(libc));
  state.listeners.set(fd, listener);
  restart(state);
  return () => {
    if (state.listeners.get(fd) !== listener) return;
    state.listeners.delete(fd);
    restart(state);
  };
}

function start(libc: Libc): State {
  const state: State = { libc, listeners: new Map(), wake: openPipe(libc), isWaiting: false };
  // Node waits for its threads before it exits.
  process.once('exit', () => state.isWaiting && restart(state));
  return state;
}

/** Makes the thread wait for the current descriptors. */
function restart(state: State): void {
  if (state.isWaiting) writeSync(state.wake.write, '.');
  else wait(state);
}

function wait(state: State): void {
  state.isWaiting = state.listeners.size > 0;
  if (!state.isWaiting) return;
  const { read: wakeFd } = state.wake;
  const awaited: [number, () => void][] = [
    [wakeFd, () => readSync(wakeFd, Buffer.alloc(1))],
    ...state.listeners,
  ];
  const entries = Buffer.alloc(entryBytes * awaited.length);
  for (const [index, [fd]] of awaited.entries()) {
    entries.writeInt32LE(fd, index * entryBytes);
    entries.writeInt16LE(readable, index * entryBytes + 4);
  }
  state.libc.poll.async(entries, awaited.length, -1, () => {
    const ready = awaited.filter((_, index) => entries.readInt16LE(index * entryBytes + 6) !== 0);
    for (const [fd, listener] of ready)
      // The number may belong to another file by now.
      if (fd === wakeFd || state.listeners.get(fd) === listener) listener();
    wait(state);
  });
}
