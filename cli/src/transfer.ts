/** Files that commands upload and download. */
import { createWriteStream, openAsBlob } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Operation } from '@drawbridge/contract/operation';
import { exitCodes, type CliFailure, usageFailure } from './failure.ts';
import type { FlagValue } from './command-line.ts';
import type { CliContext } from './context.ts';

interface FileFlag {
  name: 'file' | 'out';
  says: string;
}

/** The file flags of a command. Its row may not have a parameter of the same name. */
export const fileFlagsOf = (row: Operation): FileFlag[] => [
  ...(row.body === 'bytes' ? [{ name: 'file', says: 'The file to send' } as const] : []),
  ...(row.answers === 'bytes' ? [{ name: 'out', says: 'Where to save the file' } as const] : []),
];

export interface FileFlags {
  /** Absolute paths, if the command has the flag. */
  file?: string;
  out?: string;
  /** The remaining flags, which are parameters. */
  flags: FlagValue[];
}

/** Separates the file flags from those of parameters. */
export function splitFlags(
  row: Operation,
  flags: FlagValue[],
  command: string,
  { folder }: CliContext,
): FileFlags | CliFailure {
  const transfers = fileFlagsOf(row);
  const found: FileFlags = {
    flags: flags.filter(({ name }) => transfers.every((each) => each.name !== name)),
  };
  for (const { name } of transfers) {
    const [given, ...more] = flags.filter((flag) => flag.name === name);
    if (more.length > 0) return usageFailure(`--${name} is given ${more.length + 1} times.`);
    if (!given?.text) return usageFailure(`${command} needs --${name}.`);
    found[name] = resolve(folder, given.text);
  }
  return found;
}

/** An uploaded file has its name on disk unless the person gives another. */
export const defaultName = (row: Operation, file: string | undefined): { name?: string } =>
  file !== undefined && 'name' in row.input.shape ? { name: basename(file) } : {};

/** The file is read while it is sent. */
export async function openUpload(file: string): Promise<Blob | CliFailure> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return usageFailure(`There is no file ${file}.`);
  return openAsBlob(file).catch(() => usageFailure(`${file} cannot be read.`));
}

/** Moves the file to its final path when it is complete. */
export async function saveDownload(
  bytes: ReadableStream<Uint8Array>,
  out: string,
): Promise<{ file: string; size: number } | CliFailure> {
  const partial = `${out}.partial`;
  try {
    await pipeline(Readable.fromWeb(bytes), createWriteStream(partial));
    await rename(partial, out);
    return { file: out, size: (await stat(out)).size };
  } catch (error) {
    await rm(partial, { force: true });
    return { exit: exitCodes.refused, says: `${out}: ${(error as Error).message}.` };
  }
}
