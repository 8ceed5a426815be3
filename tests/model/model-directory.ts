/** The directory of the model: what its server says is part of the settings, so that steps can change it. */
import type {
  DirectoryConnection,
  DirectoryReading,
} from '@drawbridge/server/domain/people/directory-connection';

/** The most people that an organisation has. */
const maxPeople = 4;

export const importedUid = 'imported';
export const personUid = (index: number): string => `person${index}`;

/** Everybody is there. The base tells, as bits, who is in the one group. Nobody has an address, so nobody is added. */
export async function readModelDirectory({ base }: DirectoryConnection): Promise<DirectoryReading> {
  const people = Array.from({ length: maxPeople }, (_, index) => ({
    uid: personUid(index),
    dn: personUid(index),
    email: undefined,
    disabled: false,
  }));
  const members = people.filter((_, index) => Number(base) & (1 << index)).map(({ dn }) => dn);
  return { snapshot: { people, groups: [{ uid: importedUid, dn: importedUid, name: 'group', members }] } };
}
