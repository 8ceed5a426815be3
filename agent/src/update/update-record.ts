/** What the agent remembers about releases, beside its state: the trusted key, the newest release, and a version that failed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../durable-file.ts';

export interface UpdateRecord {
  /** The release key in the program that wrote this. A program with another key was installed by a person, and counts. */
  builtIn: string;
  /** The release key that followed it by rotation. */
  key: string;
  /** The highest sequence of a release that was seen. */
  sequence: number;
  /** A version that did not connect. It is installed again only if the server asks for it. */
  failed: string;
}

export const updateRecordName = 'update.json';

export function loadRecord(folder: string): UpdateRecord {
  try {
    return JSON.parse(readFileSync(join(folder, updateRecordName), 'utf8')) as UpdateRecord;
  } catch {
    return { builtIn: '', key: '', sequence: 0, failed: '' };
  }
}

export const saveRecord = (folder: string, record: UpdateRecord): void =>
  replaceFile(join(folder, updateRecordName), JSON.stringify(record));
