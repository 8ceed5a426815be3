/** Optional native modules, loaded on first use; undefined if none fits this machine. */
import type JpegPackage from '@julusian/jpeg-turbo';
import type * as KoffiPackage from 'koffi';

export type Koffi = typeof KoffiPackage;
export type Library = ReturnType<Koffi['load']>;
export type Jpeg = typeof JpegPackage;

const cache = new Map<string, Promise<unknown>>();

function loadOnce<Part>(name: string, load: () => Promise<Part>): Promise<Part | undefined> {
  const known = cache.get(name) ?? load().catch(() => undefined);
  cache.set(name, known);
  return known as Promise<Part | undefined>;
}

/** The foreign function interface for the system's libraries. */
export const loadKoffi = (): Promise<Koffi | undefined> =>
  loadOnce('koffi', async () => (await import('koffi')).default as unknown as Koffi);

export const loadJpeg = (): Promise<Jpeg | undefined> =>
  loadOnce('jpeg', async () => (await import('@julusian/jpeg-turbo')).default);

/** Loads the first of these libraries that the system has. */
export function findLibrary(koffi: Koffi, names: readonly string[]): Library | undefined {
  for (const name of names)
    try {
      return koffi.load(name);
    } catch {
      continue;
    }
  return undefined;
}
