/** The people who can approve sessions on this device: kept beside the identity of the agent, changed only by a command on the device. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAs } from '@drawbridge/contract/parse';
import { approverList, type Approver } from '@drawbridge/contract/session/approval';
import { replaceFile } from '../durable-file.ts';
import { NotPossible } from '../platform/platform.ts';

export const approversName = 'approvers.json';

/** Empty if four eyes are off. Throws if the list cannot be read, so that damage never turns four eyes off. */
export function loadApprovers(folder: string): Approver[] {
  const file = join(folder, approversName);
  try {
    const { data } = parseAs(approverList, JSON.parse(readFileSync(file, 'utf8')));
    if (data) return data;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
  }
  throw new NotPossible(`The approvers of this device cannot be read from ${file}.`);
}

/** True also if the list cannot be read. */
export function hasApprovers(folder: string): boolean {
  try {
    return loadApprovers(folder).length > 0;
  } catch {
    return true;
  }
}

/** The agent reads the list again whenever it counts. */
export const saveApprovers = (folder: string, approvers: readonly Approver[]): void =>
  replaceFile(join(folder, approversName), JSON.stringify(approvers, null, 2));
