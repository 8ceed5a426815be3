/** A stream socket that carries file descriptors, which Node's sockets cannot. */
import { closeSync } from 'node:fs';
import { NotPossible } from '../../platform.ts';
import { loadLibc, type Libc } from './libc.ts';
import { onReadable } from './wait-readable.ts';

export interface FdSocket {
  /** Waits while the other side does not read. */
  send(bytes: Buffer, fds?: readonly number[]): void;
  close(): void;
}

interface SocketListeners {
  onData(bytes: Buffer, fds: number[]): void;
  /** Called once when the other side has closed the socket, not after `close`. */
  onEnd(): void;
}

const [unixDomain, streamType, closeOnExec] = [1, 1, 0x8_0000];
const [noSignal, dontWait, receiveCloseOnExec] = [0x4000, 0x40, 0x4000_0000];
const [socketLevel, rights, controlHeadBytes] = [1, 1, 16];
const [maxPathBytes, familyBytes] = [107, 2];
const [maxReadBytes, maxControlBytes] = [65_536, 256];

interface State {
  libc: Libc;
  fd: number;
  isOpen: boolean;
  listeners: SocketListeners;
}

export interface SocketAddress {
  bytes: Buffer;
  length: number;
}

/** `path` begins with a NUL character if the socket has no file. */
export function addressOf(path: string): SocketAddress {
  const name = Buffer.from(path);
  const bytes = Buffer.alloc(familyBytes + maxPathBytes + 1);
  bytes.writeUInt16LE(unixDomain);
  name.copy(bytes, familyBytes, 0, maxPathBytes);
  // The name of a file ends with a NUL character.
  return { bytes, length: familyBytes + name.length + (path.startsWith('\0') ? 0 : 1) };
}

/** The path is one of `addressOf`. */
export async function connectFdSocket(path: string, listeners: SocketListeners): Promise<FdSocket> {
  const libc = await loadLibc();
  const address = addressOf(path);
  const fd = libc.socket(unixDomain, streamType | closeOnExec, 0) as number;
  if (libc.connect(fd, address.bytes, address.length) !== 0) {
    closeSync(fd);
    throw new NotPossible(`Nothing answers at ${path}.`);
  }
  const state: State = { libc, fd, isOpen: true, listeners };
  const close = (): void => {
    if (!state.isOpen) return;
    state.isOpen = false;
    stopWaiting();
    closeSync(fd);
  };
  const stopWaiting = await onReadable(fd, () => {
    if (receive(state)) return;
    close();
    listeners.onEnd();
  });
  return { send: (bytes, fds = []) => send(state, bytes, fds), close };
}

const messageOf = (bytes: Buffer, control: Buffer | null): Record<string, unknown> => ({
  name: null,
  nameLength: 0,
  vectors: [{ base: bytes, length: bytes.length }],
  count: 1,
  control,
  controlLength: control?.length ?? 0,
  flags: 0,
});

function send({ libc, fd, isOpen: canSend }: State, bytes: Buffer, fds: readonly number[]): void {
  for (let sent = canSend ? 0 : bytes.length; sent < bytes.length;) {
    const control = sent === 0 && fds.length > 0 ? controlOf(fds) : null;
    const count = Number(libc.sendmsg(fd, messageOf(bytes.subarray(sent), control), noSignal));
    // The end is reported by the wait for data.
    if (count <= 0) return;
    sent += count;
  }
}

function controlOf(fds: readonly number[]): Buffer {
  const length = controlHeadBytes + 4 * fds.length;
  const control = Buffer.alloc(Math.ceil(length / 8) * 8);
  control.writeBigUInt64LE(BigInt(length));
  control.writeInt32LE(socketLevel, 8);
  control.writeInt32LE(rights, 12);
  fds.forEach((fd, index) => control.writeInt32LE(fd, controlHeadBytes + 4 * index));
  return control;
}

/** Returns false at the end of the stream. */
function receive({ libc, fd, listeners }: State): boolean {
  const [bytes, control] = [Buffer.alloc(maxReadBytes), Buffer.alloc(maxControlBytes)];
  const count = Number(libc.recvmsg(fd, messageOf(bytes, control), dontWait | receiveCloseOnExec));
  if (count <= 0) return false;
  listeners.onData(bytes.subarray(0, count), fdsIn(control));
  return true;
}

function fdsIn(control: Buffer): number[] {
  const length = Number(control.readBigUInt64LE(0));
  if (length < controlHeadBytes || control.readInt32LE(12) !== rights) return [];
  return Array.from({ length: (length - controlHeadBytes) / 4 }, (_, index) =>
    control.readInt32LE(controlHeadBytes + 4 * index),
  );
}
