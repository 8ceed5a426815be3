/** Uses files and a terminal of a platform as a session does. Runs on every system, also inside Windows. */
import { createHash } from 'node:crypto';
import type { Files } from '@drawbridge/agent/platform/files';
import type { Platform } from '@drawbridge/agent/platform/platform';
import { eventually } from '../../kit/eventually.ts';

/** What differs between systems. */
export interface SystemHabits {
  /** An empty folder, as the operator's console names it. */
  folder: string;
  /** A command for the shell, and what it prints but its own text does not contain. */
  command: string;
  printed: string;
}

export interface AccessReport {
  /** Where an interrupted upload continued. */
  resumedAt: number;
  isEqual: boolean;
  listed: { name: string; kind: string }[];
  /** Why a name that is taken and one that does not exist are refused. */
  refusals: string[];
  left: number;
  hasPrinted: boolean;
  ended: string;
}

const data = Buffer.alloc(200_000, 'content ');
const interruptedAt = 50_000;

const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error) => error.message,
  );

async function uploadInTwoParts(files: Files, path: string): Promise<number> {
  const upload = { path, size: data.length, time: 1_700_000_000, replace: false };
  const first = await files.create(upload);
  await first.write(0, data.subarray(0, interruptedAt));
  await first.close();
  const second = await files.create(upload);
  await second.write(second.from, data.subarray(second.from));
  await second.finish(createHash('sha256').update(data).digest('hex'));
  return second.from;
}

async function transfer(files: Files, folder: string) {
  const path = `${folder}/up.bin`;
  const resumedAt = await uploadInTwoParts(files, path);
  const file = await files.open(path);
  const read = await file.read(0, data.length);
  await file.close();
  await files.rename(path, `${folder}/renamed.bin`);
  const { entries } = await files.list(folder);
  const refusals = [
    await refusalOf(files.create({ path: `${folder}/renamed.bin`, size: 1, replace: false })),
    await refusalOf(files.open(`${folder}/none.bin`)),
  ];
  await files.remove(`${folder}/renamed.bin`);
  return {
    resumedAt,
    isEqual: Buffer.from(read).equals(data),
    listed: entries.map(({ name, kind }) => ({ name, kind })),
    refusals,
    left: (await files.list(folder)).entries.length,
  };
}

async function useShell(platform: Platform, { command, printed }: SystemHabits) {
  const shell = await platform.shell({ columns: 80, rows: 24 });
  let [output, ended] = ['', ''];
  shell.onData((bytes) => (output += Buffer.from(bytes).toString()));
  shell.onEnd((message) => (ended = message));
  await eventually(() => output, Boolean);
  shell.write(Buffer.from(`${command}\r`));
  const hasPrinted = await eventually(() => output.includes(printed), Boolean);
  shell.write(Buffer.from('exit\r'));
  return { hasPrinted, ended: await eventually(() => ended, Boolean) };
}

export async function exerciseAccess(platform: Platform, habits: SystemHabits): Promise<AccessReport> {
  const transferred = await transfer(await platform.files(), habits.folder);
  return { ...transferred, ...(await useShell(platform, habits)) };
}
