/** Shared memory that the display writes pixels into and the agent reads without copying: a System V segment, mapped through koffi. */
import { lstat } from 'node:fs/promises';
import type x11 from 'x11';
import { findLibrary, loadKoffi, type Library } from '../../native.ts';
import type { X11Connection } from './connection.ts';

export interface SharedMemory {
  /** One word for each pixel. */
  words: Uint32Array;
  /** Fills the words from `offset` on with the pixels of a box of the screen, row by row. */
  fill(box: { x: number; y: number; width: number; height: number }, offset: number): Promise<void>;
  /** After this the words must not be accessed, because the memory is unmapped. */
  close(): void;
}

const ipcPrivate = 0;
const createForOwner = 0o1600;
const failed = 0xffff_ffff_ffff_ffffn;
const commands = { remove: 0, set: 1, read: 2 } as const;
/** An upper bound for the size of struct shmid_ds, and the offset of the owner's uid in it. */
const [recordBytes, ownerAt] = [256, 4];
const [allPlanes, wholePixels] = [0xffff_ffff, 2];

type Call = (...values: unknown[]) => unknown;

/** Returns undefined if the display or the system cannot share memory; pixels then come through the connection. */
export async function shareMemory(
  connection: X11Connection,
  pixels: number,
): Promise<SharedMemory | undefined> {
  const koffi = await loadKoffi();
  const libc = koffi && findLibrary(koffi, ['libc.so.6']);
  const shm = await connection.extension('shm').catch(() => undefined);
  if (!koffi || !libc || !shm) return undefined;
  const calls = declareCalls(libc);
  const id = calls.shmget(ipcPrivate, pixels * 4, createForOwner) as number;
  if (id < 0) return undefined;
  const address = BigInt.asUintN(64, BigInt(calls.shmat(id, null, 0) as number | bigint));
  const segment = connection.client.AllocID();
  await handOver(calls.shmctl, id, connection.display);
  const isAttached =
    address !== failed &&
    (await connection
      .call<void>((done) => shm.Attach(segment, id, false, done))
      .then(
        () => true,
        () => false,
      ));
  // From here on the segment exists as long as it is mapped.
  calls.shmctl(id, commands.remove, null);
  if (!isAttached) {
    if (address !== failed) calls.shmdt(address);
    return undefined;
  }
  const words = new Uint32Array(koffi.view(address, pixels * 4));
  return wrapSegment({ connection, shm, segment, words, unmap: () => void calls.shmdt(address) });
}

const declareCalls = (libc: Library): Record<'shmget' | 'shmat' | 'shmdt' | 'shmctl', Call> => ({
  shmget: libc.func('int shmget(int key, size_t size, int flags)') as Call,
  shmat: libc.func('intptr_t shmat(int id, void* address, int flags)') as Call,
  shmdt: libc.func('int shmdt(intptr_t address)') as Call,
  shmctl: libc.func('int shmctl(int id, int command, void* record)') as Call,
});

interface Segment {
  connection: X11Connection;
  shm: x11.Extensions['shm'];
  segment: number;
  words: Uint32Array;
  unmap(): void;
}

function wrapSegment({ connection, shm, segment, words, unmap }: Segment): SharedMemory {
  const { root, call } = connection;
  let isOpen = true;
  return {
    words,
    fill: async ({ x, y, width, height }, offset) => {
      await call((done) =>
        shm.GetImage(root, x, y, width, height, allPlanes, wholePixels, segment, offset * 4, done),
      );
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      if (connection.isOpen()) shm.Detach(segment);
      unmap();
    },
  };
}

/** Gives the segment to the user of the display, because the display may run as another user than the agent. */
async function handOver(shmctl: Call, id: number, display: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const number = /:(\d+)/.exec(display)?.[1];
  const owner = (await lstat(`/tmp/.X11-unix/X${number}`).catch(() => undefined))?.uid;
  if (owner === undefined || owner === 0) return;
  const record = Buffer.alloc(recordBytes);
  shmctl(id, commands.read, record);
  record.writeUInt32LE(owner, ownerAt);
  shmctl(id, commands.set, record);
}
