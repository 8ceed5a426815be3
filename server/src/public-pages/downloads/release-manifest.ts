/** The files of the agent that this server offers, read from the manifest that the build writes. */
import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { offeredFiles, type OfferedFiles, type ReleaseFile } from '@drawbridge/contract/uplink/release';
import { writeChunkBytes } from '../../http/route.ts';
import type { OpenBlob } from '../../store/store.ts';

/** The files, and the same signed for agents that update themselves. */
export const manifestName = 'manifest.json';
export const signedReleaseName = 'release.json';

/** The folder is beside the bundle, or in dist/ when the server runs from source. */
const ownFolder = (): string => {
  const beside = join(import.meta.dirname, '../agent-files');
  return existsSync(beside) ? beside : join(import.meta.dirname, '../../../../dist/agent-files');
};

export interface ReleaseContent {
  /** The manifest as JSON text. */
  manifest: string;
  /** The signed release as JSON text; undefined if the files were built without one. */
  signed(): Promise<string | undefined>;
  /** Undefined if the file is missing or does not have the size in the manifest. */
  open(file: ReleaseFile): Promise<OpenBlob | undefined>;
}

export interface AvailableRelease extends OfferedFiles, ReleaseContent {}

export const toRelease = (content: ReleaseContent): AvailableRelease => ({
  ...content,
  ...offeredFiles.parse(JSON.parse(content.manifest)),
});

/** Returns undefined if nothing was built. The manifest is read each time, because a build may run beside the server. */
export async function readRelease(given: string | undefined): Promise<AvailableRelease | undefined> {
  const folder = given ?? ownFolder();
  const manifest = await readIfExists(join(folder, manifestName));
  if (manifest === undefined) return undefined;
  return toRelease({
    manifest,
    signed: () => readIfExists(join(folder, signedReleaseName)),
    open: ({ name, size }) => openWhole(join(folder, name), size),
  });
}

const readIfExists = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** Opens the file if it has the size in the manifest: during a build it may be a different one. */
async function openWhole(path: string, size: number): Promise<OpenBlob | undefined> {
  const handle = await open(path).catch(() => undefined);
  if (!handle) return undefined;
  if ((await handle.stat()).size === size)
    return {
      read: (start, end) => handle.createReadStream({ start, end, highWaterMark: writeChunkBytes }),
      close: () => handle.close(),
    };
  await handle.close();
  return undefined;
}

/** The checksums in the format of sha256sum. */
export const checksumsText = ({ files }: OfferedFiles): string =>
  files.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('');
