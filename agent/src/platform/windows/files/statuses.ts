/** Turns the status codes of the kernel into errors as Node has them. */

/** Error codes by NTSTATUS. */
const codes: Record<number, string> = {
  0xc000_000f: 'ENOENT',
  0xc000_0022: 'EACCES',
  0xc000_0033: 'EINVAL',
  0xc000_0034: 'ENOENT',
  0xc000_0035: 'EEXIST',
  0xc000_003a: 'ENOENT',
  0xc000_0043: 'EBUSY',
  0xc000_0056: 'ENOENT',
  0xc000_007f: 'ENOSPC',
  0xc000_00a2: 'EROFS',
  0xc000_00ba: 'EISDIR',
  0xc000_00d4: 'EXDEV',
  0xc000_0101: 'ENOTEMPTY',
  0xc000_0103: 'ENOTDIR',
  0xc000_0121: 'EPERM',
};

/** Throws unless the status says success. */
export function requireSuccess(status: number): void {
  if (status >= 0) return;
  const code = codes[status >>> 0] ?? `0x${(status >>> 0).toString(16)}`;
  throw Object.assign(new Error(`Windows returned ${code}`), { code });
}
