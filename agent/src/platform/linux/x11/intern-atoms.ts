/** Looks up the numbers of atoms by their names. */
import type { X11Connection } from './connection.ts';

export async function internAtoms<Name extends string>(
  { client, call }: X11Connection,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const numbers = await Promise.all(
    names.map((name) => call<number>((done) => client.InternAtom(false, name, done))),
  );
  return Object.fromEntries(names.map((name, index) => [name, numbers[index]])) as Record<Name, number>;
}
