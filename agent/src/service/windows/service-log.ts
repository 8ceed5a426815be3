/** The log of the Windows service, because the standard output of a service leads nowhere. */
import { appendFileSync, existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const logName = 'service.log';
const maxBytes = 1_048_576;

/** A long log of earlier runs is dropped. */
export function openServiceLog(folder: string): (line: string) => void {
  const file = join(folder, logName);
  if (existsSync(file) && statSync(file).size > maxBytes) rmSync(file);
  return (line) => appendFileSync(file, `${new Date().toISOString()} ${line}\r\n`);
}
