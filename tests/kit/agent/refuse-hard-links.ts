/** Makes the kernel refuse hard links to this process permanently, as on file systems without hard links. */
import koffi from 'koffi';

/** The system call numbers of link, linkat and seccomp; arm64 has no link. */
const syscallNumbers = {
  x64: { links: [86, 265], seccomp: 317 },
  arm64: { links: [37], seccomp: 277 },
} as const;

const [load, jumpIfEqual, answer] = [0x20, 0x15, 0x06];
const [allow, refuseWith] = [0x7fff_0000, 0x0005_0000];
const operationNotPermitted = 1;
const [noNewPrivileges, setFilter, allThreads] = [38, 1, 1];

export function refuseHardLinks(): void {
  const { links, seccomp } = syscallNumbers[process.arch as keyof typeof syscallNumbers];
  const step = (code: number, k: number, jt = 0, jf = 0) => ({ code, jt, jf, k });
  const filter = [
    step(load, 0),
    ...links.flatMap((number) => [
      step(jumpIfEqual, number, 0, 1),
      step(answer, refuseWith | operationNotPermitted),
    ]),
    step(answer, allow),
  ];
  koffi.struct('sock_filter', { code: 'uint16', jt: 'uint8', jf: 'uint8', k: 'uint32' });
  koffi.struct('sock_fprog', { len: 'uint16', filter: 'sock_filter *' });
  const libc = koffi.load('libc.so.6');
  const prctl = libc.func('int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)');
  const syscall = libc.func('long syscall(long, ...)');
  prctl(noNewPrivileges, 1, 0, 0, 0);
  const program = { len: filter.length, filter };
  const refused = syscall(seccomp, 'long', setFilter, 'long', allThreads, 'sock_fprog *', program);
  if (refused !== 0) throw new Error('the system takes no filter of its calls');
}
