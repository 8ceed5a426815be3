/** The functions of the C library that Wayland needs and Node does not offer. */
import { findLibrary, loadKoffi, type Koffi, type Library } from '../../native.ts';
import { NotPossible } from '../../platform.ts';

type Call = ((...values: unknown[]) => unknown) & { async(...values: unknown[]): void };

type LibcName =
  | 'memfd_create'
  | 'ftruncate'
  | 'fcntl'
  | 'mmap'
  | 'munmap'
  | 'socket'
  | 'connect'
  | 'getsockopt'
  | 'sendmsg'
  | 'recvmsg'
  | 'pipe2'
  | 'prctl'
  | 'poll';

export type Libc = Record<LibcName, Call> & { koffi: Koffi };

let loaded: Promise<Libc> | undefined;

export const loadLibc = (): Promise<Libc> => (loaded ??= load());

async function load(): Promise<Libc> {
  const koffi = await loadKoffi();
  const library = koffi && findLibrary(koffi, ['libc.so.6']);
  if (!koffi || !library)
    throw new NotPossible('This build of the agent cannot use the system libraries that Wayland needs.');
  koffi.struct('WireVector', { base: 'void*', length: 'size_t' });
  koffi.struct('WireMessage', {
    name: 'void*',
    nameLength: 'uint32',
    vectors: 'WireVector*',
    count: 'size_t',
    control: 'void*',
    controlLength: 'size_t',
    flags: 'int',
  });
  return { koffi, ...functionsOf(library) };
}

const functionsOf = (library: Library): Record<LibcName, Call> => ({
  memfd_create: library.func('int memfd_create(const char* name, uint flags)'),
  ftruncate: library.func('int ftruncate(int fd, int64 bytes)'),
  fcntl: library.func('int fcntl(int fd, int command, ...)'),
  mmap: library.func('void* mmap(void* at, size_t bytes, int access, int flags, int fd, int64 offset)'),
  munmap: library.func('int munmap(void* at, size_t bytes)'),
  socket: library.func('int socket(int domain, int type, int protocol)'),
  connect: library.func('int connect(int socket, void* address, uint32 length)'),
  getsockopt: library.func('int getsockopt(int socket, int level, int name, void* value, void* length)'),
  sendmsg: library.func('int64 sendmsg(int socket, WireMessage* message, int flags)'),
  recvmsg: library.func('int64 recvmsg(int socket, _Inout_ WireMessage* message, int flags)'),
  pipe2: library.func('int pipe2(void* ends, int flags)'),
  prctl: library.func('int prctl(int option, ulong a, ulong b, ulong c, ulong d)'),
  poll: library.func('int poll(void* entries, uint64 count, int timeout)'),
});

const closeOnExec = 0x8_0000;

export function openPipe({ pipe2 }: Libc): { read: number; write: number } {
  const ends = Buffer.alloc(8);
  if (pipe2(ends, closeOnExec) !== 0)
    throw new NotPossible('The agent cannot open more files on the device.');
  return { read: ends.readInt32LE(0), write: ends.readInt32LE(4) };
}
