/** The fields that pick the holder of a grant: a person or a department. */
import { t } from '../../texts/index.ts';
import { Segments } from '../../ui/forms/segments.tsx';
import { PickList } from '../../ui/forms/pick-list.tsx';
import { ResourceView } from '../../ui/states.tsx';
import { useDepartments, usePeople } from '../team-data.ts';
import type { GrantDraft } from './grant-draft.ts';
import { filterPeople, sortedByName } from '../lists.ts';
import { labelWithName } from '../people/person-label.ts';

const texts = t.team.give;

export interface PickProps {
  draft: GrantDraft;
  choose: (part: Partial<GrantDraft>) => void;
}

const kinds = [
  { value: 'person', text: texts.person },
  { value: 'department', text: texts.department },
] as const;

const noFilter = { search: '', state: '', department: '' };

function PickPerson({ draft, choose }: PickProps) {
  const people = usePeople();
  return (
    <ResourceView resource={people}>
      {(all) => (
        <PickList
          label={texts.people}
          name="email"
          options={filterPeople(all, noFilter)
            // The owner already has all permissions.
            .filter(({ owner }) => !owner)
            .map(({ email, name }) => ({ value: email, text: labelWithName(email, name) }))}
          value={draft.email}
          onChange={(email) => choose({ email })}
        />
      )}
    </ResourceView>
  );
}

function PickDepartment({ draft, choose }: PickProps) {
  const departments = useDepartments();
  return (
    <ResourceView resource={departments}>
      {(all) => (
        <PickList
          label={texts.departments}
          name="department_id"
          options={sortedByName(all).map(({ id, name }) => ({ value: String(id), text: name }))}
          value={draft.department}
          onChange={(department) => choose({ department })}
        />
      )}
    </ResourceView>
  );
}

export const PickHolder = ({ draft, choose }: PickProps) => (
  <>
    <Segments label={texts.kinds} options={kinds} value={draft.kind} onChange={(kind) => choose({ kind })} />
    {draft.kind === 'person' ? (
      <PickPerson draft={draft} choose={choose} />
    ) : (
      <PickDepartment draft={draft} choose={choose} />
    )}
  </>
);
