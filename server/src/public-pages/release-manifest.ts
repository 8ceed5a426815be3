/** The agent's files that this server offers, by the list that was written when they were built. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The list beside the files. Its names are the only ones that are ever opened, and none can leave the folder. */
export const offerList = z.object({
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

export type Offer = z.output<typeof offerList>;
export type OfferedFile = Offer['files'][number];

export const offerName = 'manifest.json';

/** Beside the bundle, or in dist/ where the sources run. */
const ownFolder = (): string => {
  const beside = join(import.meta.dirname, '../agent-files');
  return existsSync(beside) ? beside : join(import.meta.dirname, '../../../dist/agent-files');
};

export interface Offered extends Offer {
  folder: string;
}

/** What is offered now; undefined where nothing was built. Read each time: it may be built while the server runs. */
export async function readOffer(given: string | undefined): Promise<Offered | undefined> {
  const folder = given ?? ownFolder();
  const text = await readFile(join(folder, offerName), 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : { folder, ...offerList.parse(JSON.parse(text)) };
}

/** The checksums as the program sha256sum writes and reads them. */
export const checksums = ({ files }: Offer): string =>
  files.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('');
