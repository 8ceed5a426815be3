/** The native parts the agent can do without: loaded when first needed, undefined where the machine has none that fit. */
import type JpegPackage from '@julusian/jpeg-turbo';
import type * as KoffiPackage from 'koffi';

export type Koffi = typeof KoffiPackage;
export type Library = ReturnType<Koffi['load']>;
type Jpeg = typeof JpegPackage;

const cache = new Map<string, Promise<unknown>>();

function loadOnce<Part>(name: string, load: () => Promise<Part>): Promise<Part | undefined> {
  const known = cache.get(name) ?? load().catch(() => undefined);
  cache.set(name, known);
  return known as Promise<Part | undefined>;
}

/** Calls functions of the system's libraries. */
export const loadKoffi = (): Promise<Koffi | undefined> =>
  loadOnce('koffi', async () => (await import('koffi')).default as unknown as Koffi);

export const loadJpeg = (): Promise<Jpeg | undefined> =>
  loadOnce('jpeg', async () => (await import('@julusian/jpeg-turbo')).default);

/** The first of these libraries that the system has. */
export function findLibrary(koffi: Koffi, names: readonly string[]): Library | undefined {
  for (const name of names)
    try {
      return koffi.load(name);
    } catch {
      continue;
    }
  return undefined;
}
