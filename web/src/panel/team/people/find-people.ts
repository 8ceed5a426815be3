/** Finds people of the account by name or e-mail address, for fields in which one is chosen. */
import { get } from '../../api.ts';
import { signedInUser } from '../../current-user.ts';
import { subscribeToTopic } from '../../event-stream.ts';
import type { ComboboxOption } from '../../ui/forms/combobox.tsx';
import { filterPeople } from '../lists.ts';
import type { Person } from '../team-data.ts';
import { labelWithName } from './person-label.ts';

const maxFound = 20;

/** Everybody in the account, for the person who searched; loaded again after a change of the team. */
let known: { for: number; people: Promise<Person[]> } | undefined;
subscribeToTopic('team', () => (known = undefined));

function loadEverybody(): Promise<Person[]> {
  const { id } = signedInUser.value;
  if (known?.for === id) return known.people;
  const people = get('team/people', {}).then(({ data }) => data);
  known = { for: id, people };
  people.catch(() => (known = undefined));
  return people;
}

/** Requires the permission `team_user_admin`. */
export async function findPeople(search: string): Promise<ComboboxOption[]> {
  const found = filterPeople(await loadEverybody(), { search, state: '', department: '' });
  return found
    .slice(0, maxFound)
    .map(({ email, name }) => ({ value: email, text: labelWithName(email, name) }));
}
