/** Memory that the display writes pixels into and the agent reads without copying: a System V segment, mapped through koffi. */
import { lstat } from 'node:fs/promises';
import { findLibrary, loadKoffi } from '../../native.ts';
import type { X11Connection } from './connection.ts';

export interface SharedMemory {
  /** One pixel each. */
  words: Uint32Array;
  /** Fills the words from `offset` on with the pixels of a box of the screen, line after line. */
  fill(box: { x: number; y: number; width: number; height: number }, offset: number): Promise<void>;
  /** After this the words must not be touched. */
  close(): void;
}

const ipcPrivate = 0;
const createForOwner = 0o1600;
const failed = 0xffff_ffff_ffff_ffffn;
const commands = { remove: 0, set: 1, read: 2 } as const;
/** Of struct shmid_ds: its size with room to spare, and where the owner's number stands. */
const [recordBytes, ownerAt] = [256, 4];
const [allPlanes, wholePixels] = [0xffff_ffff, 2];

type Call = (...values: unknown[]) => unknown;

/** Undefined where the display or the system can not share memory; pixels then come through the connection. */
export async function shareMemory(
  connection: X11Connection,
  pixels: number,
): Promise<SharedMemory | undefined> {
  const koffi = await loadKoffi();
  const libc = koffi && findLibrary(koffi, ['libc.so.6']);
  const shm = await connection.extension('shm').catch(() => undefined);
  if (!koffi || !libc || !shm) return undefined;
  const shmget = libc.func('int shmget(int key, size_t size, int flags)') as Call;
  const shmat = libc.func('intptr_t shmat(int id, void* address, int flags)') as Call;
  const shmdt = libc.func('int shmdt(intptr_t address)') as Call;
  const shmctl = libc.func('int shmctl(int id, int command, void* record)') as Call;

  const id = shmget(ipcPrivate, pixels * 4, createForOwner) as number;
  if (id < 0) return undefined;
  const address = BigInt.asUintN(64, BigInt(shmat(id, null, 0) as number | bigint));
  const { client, root, call } = connection;
  const segment = client.AllocID();
  await handOver(shmctl, id, connection.display);
  const isAttached =
    address !== failed &&
    (await call<void>((done) => shm.Attach(segment, id, false, done)).then(
      () => true,
      () => false,
    ));
  // From here on the segment lives as long as somebody has it mapped.
  shmctl(id, commands.remove, null);
  if (!isAttached) {
    if (address !== failed) shmdt(address);
    return undefined;
  }
  let isOpen = true;
  return {
    words: new Uint32Array(koffi.view(address, pixels * 4)),
    fill: async ({ x, y, width, height }, offset) => {
      await call((done) =>
        shm.GetImage(root, x, y, width, height, allPlanes, wholePixels, segment, offset * 4, done),
      );
    },
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      if (connection.isOpen()) shm.Detach(segment);
      shmdt(address);
    },
  };
}

/** The display may run as another user than the agent: the segment becomes that user's, and nobody else's. */
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
