/** The files of the agent that this server offers, read from the manifest that the build writes. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

/** Only files named in the manifest are opened, and no valid name leads out of the folder. */
const releaseManifest = z.object({
  version: z.string(),
  files: z.array(
    z.object({
      name: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,99}$/),
      os: z.enum(['linux', 'macos', 'windows']),
      arch: z.enum(['x64', 'arm64']),
      size: z.int().positive(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});

export type ReleaseManifest = z.output<typeof releaseManifest>;
export type ReleaseFile = ReleaseManifest['files'][number];

export const manifestName = 'manifest.json';

/** The folder is beside the bundle, or in dist/ when the server runs from source. */
const ownFolder = (): string => {
  const beside = join(import.meta.dirname, '../agent-files');
  return existsSync(beside) ? beside : join(import.meta.dirname, '../../../../dist/agent-files');
};

export interface AvailableRelease extends ReleaseManifest {
  folder: string;
}

/** Returns undefined if nothing was built. The manifest is read each time, because a build may run beside the server. */
export async function readRelease(given: string | undefined): Promise<AvailableRelease | undefined> {
  const folder = given ?? ownFolder();
  const text = await readFile(join(folder, manifestName), 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : { folder, ...releaseManifest.parse(JSON.parse(text)) };
}

/** The checksums in the format of sha256sum. */
export const checksumsText = ({ files }: ReleaseManifest): string =>
  files.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('');
