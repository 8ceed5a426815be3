/** The log of the Windows service, because the standard output of a service leads nowhere. */
import { appendFileSync, existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const logName = 'service.log';
const maxBytes = 1_048_576;

/**
 * Returns a function that never throws, because a disk that is full must not end the service: lines that cannot be written are
 * counted, and the next line that can be written says how many were lost.
 */
export function openServiceLog(folder: string): (line: string) => void {
  const file = join(folder, logName);
  let lost = 0;
  attempt(() => dropLongLog(file));
  return (line) => {
    const gap = lost > 0 ? ` (${lost} earlier lines could not be written)` : '';
    const isWritten = attempt(() => appendFileSync(file, `${new Date().toISOString()} ${line}${gap}\r\n`));
    lost = isWritten ? 0 : lost + 1;
  };
}

/** A long log of earlier runs is dropped. */
function dropLongLog(file: string): void {
  if (existsSync(file) && statSync(file).size > maxBytes) rmSync(file);
}

function attempt(write: () => void): boolean {
  try {
    write();
    return true;
  } catch {
    return false;
  }
}
