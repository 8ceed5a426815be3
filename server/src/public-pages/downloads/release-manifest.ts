/** The files of the agent that this server offers, read from the manifest that the build writes. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { offeredFiles, type OfferedFiles } from '@drawbridge/contract/uplink/release';

/** The files, and the same signed for agents that update themselves. */
export const manifestName = 'manifest.json';
export const signedReleaseName = 'release.json';

/** The folder is beside the bundle, or in dist/ when the server runs from source. */
const ownFolder = (): string => {
  const beside = join(import.meta.dirname, '../agent-files');
  return existsSync(beside) ? beside : join(import.meta.dirname, '../../../../dist/agent-files');
};

export interface AvailableRelease extends OfferedFiles {
  folder: string;
}

/** Returns undefined if nothing was built. The manifest is read each time, because a build may run beside the server. */
export async function readRelease(given: string | undefined): Promise<AvailableRelease | undefined> {
  const folder = given ?? ownFolder();
  const text = await readIfExists(join(folder, manifestName));
  return text === undefined ? undefined : { folder, ...offeredFiles.parse(JSON.parse(text)) };
}

/** The signed release as JSON text; undefined if the files were built without one. */
export const readSignedRelease = ({ folder }: AvailableRelease): Promise<string | undefined> =>
  readIfExists(join(folder, signedReleaseName));

const readIfExists = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** The checksums in the format of sha256sum. */
export const checksumsText = ({ files }: OfferedFiles): string =>
  files.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('');
