/** The files that pages are made of: read when first asked for, then kept. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { PageResponse } from './pages.ts';

export interface PageFile {
  page(): Promise<PageResponse>;
  /** Its address with a mark of its content: another content is another address, so browsers may keep it. */
  address(): Promise<string>;
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A day: two versions that answer side by side during an update must not leave a mixed page behind for long. */
const headers = { 'Cache-Control': 'public, max-age=86400' };

/** Our own files stand beside the bundle, and beside src/ where the sources run. */
const own = (): string =>
  [join(import.meta.dirname, 'static'), join(import.meta.dirname, '../../../static')].find(existsSync) ?? '';

const library = (): string => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

export const ownFile = (path: string, name: string): PageFile => fileAt(path, () => join(own(), name));

export const libraryFile = (path: string, name: string): PageFile =>
  fileAt(path, () => join(library(), name));

function fileAt(path: string, place: () => string): PageFile {
  const bytes = memoizeAsync(() => readFile(place()));
  const mark = memoizeAsync(async () =>
    createHash('sha256')
      .update(await bytes())
      .digest('hex')
      .slice(0, 12),
  );
  return {
    page: async () => ({ http: 200, type: types[extname(path)]!, body: await bytes(), headers }),
    address: async () => `${path}?v=${await mark()}`,
  };
}

/** Asks once and remembers; a failure is not remembered. */
export function memoizeAsync<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () =>
    (answer ??= ask().catch((error: unknown) => {
      answer = undefined;
      throw error;
    }));
}
