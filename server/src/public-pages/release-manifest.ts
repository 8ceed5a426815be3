/** The agent's files that this server offers, by the list that was written when they were built. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The list beside the files. Its names are the only ones that are ever opened, and none can leave the folder. */
export const releaseManifest = z.object({
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

/** Beside the bundle, or in dist/ where the sources run. */
const ownFolder = (): string => {
  const beside = join(import.meta.dirname, '../agent-files');
  return existsSync(beside) ? beside : join(import.meta.dirname, '../../../dist/agent-files');
};

export interface AvailableRelease extends ReleaseManifest {
  folder: string;
}

/** What is offered now; undefined where nothing was built. Read each time: it may be built while the server runs. */
export async function readRelease(given: string | undefined): Promise<AvailableRelease | undefined> {
  const folder = given ?? ownFolder();
  const text = await readFile(join(folder, manifestName), 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : { folder, ...releaseManifest.parse(JSON.parse(text)) };
}

/** The checksums as the program sha256sum writes and reads them. */
export const checksumsText = ({ files }: ReleaseManifest): string =>
  files.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('');
