/** How a person is shown: their name, if they have one, beside their e-mail address. */
import { foldText } from '../../fold-text.ts';

/** The names of people by folded e-mail address; people without a name are missing. */
export type PersonNames = ReadonlyMap<string, string>;

export const toPersonNames = (people: readonly { email: string; name: string }[]): PersonNames =>
  new Map(people.map(({ email, name }) => [foldText(email), name]));

export const labelWithName = (email: string, name: string | undefined): string =>
  name === undefined || name === '' ? email : `${name} (${email})`;

export const personLabel = (email: string, names: PersonNames): string =>
  labelWithName(email, names.get(foldText(email)));
