/** The page with the people of the team: their state and their departments. */
import { useMemo } from 'preact/hooks';
import { signedInUser } from '../../current-user.ts';
import { navigate, query, setQuery } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { TextButton } from '../../ui/button.tsx';
import { Combobox } from '../../ui/forms/combobox.tsx';
import { FilterSelect } from '../../ui/forms/filter-select.tsx';
import { SearchField } from '../../ui/forms/form.tsx';
import { Badge, type Tone } from '../../ui/layout.tsx';
import { EmptyState, ResourceView } from '../../ui/states.tsx';
import { DataTable } from '../../ui/tables/table.tsx';
import { type Column } from '../../ui/tables/column.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { useDepartments, usePeople, type TeamDepartment, type Person } from '../team-data.ts';
import { openInviteDialog } from './invite.tsx';
import {
  filterPeople,
  takeFirst,
  matchesSearch,
  sortedByName,
  toPersonState,
  type PeopleFilter,
  type PersonState,
} from '../lists.ts';
import { PersonMenu } from './person-menu.tsx';
import { personHref } from './person-href.ts';
import { departmentHref, TeamPage } from '../team-page.tsx';

const texts = t.team.people;

const tones: Record<PersonState, Tone> = {
  owner: 'accent',
  active: 'good',
  invited: 'warn',
  disabled: 'bad',
};

export const PersonStateBadge = ({ of }: { of: Person }) => (
  <Badge tone={tones[toPersonState(of)]}>{texts.states[toPersonState(of)]}</Badge>
);

/** Further departments are only counted. */
const maxBadges = 3;

const DepartmentBadges = ({ of: { departments } }: { of: Person }) => {
  const { shown, more } = takeFirst(departments, maxBadges);
  return (
    <span class="badges">
      {shown.map(({ id, name }) => (
        <a key={id} class="badge" href={departmentHref(id)}>
          {name}
        </a>
      ))}
      {more > 0 && <Badge>{texts.departmentsMore(more)}</Badge>}
    </span>
  );
};

const columns: readonly Column<Person>[] = [
  {
    title: texts.person,
    id: 'person',
    sortBy: ({ name, email }) => name || email,
    width: 'minmax(7rem, auto)',
    render: ({ name, email }) => (
      <span class="cell-name">
        <span class="two-lines">
          <a href={personHref(email)}>{name || email}</a>
          {name !== '' && <span class="quiet">{email}</span>}
        </span>
        {email === signedInUser.value.email && <Badge>{texts.you}</Badge>}
      </span>
    ),
  },
  {
    title: texts.state,
    id: 'state',
    sortBy: (row) => texts.states[toPersonState(row)],
    width: '110px',
    choice: 'shown',
    render: (row) => <PersonStateBadge of={row} />,
  },
  {
    title: texts.departments,
    id: 'departments',
    sortBy: ({ departments }) => departments.map(({ name }) => name).join(', '),
    choice: 'shown',
    wideOnly: true,
    render: (row) => <DepartmentBadges of={row} />,
  },
  {
    title: texts.since,
    id: 'since',
    sortBy: ({ create_time }) => create_time,
    choice: 'shown',
    width: '130px',
    wideOnly: true,
    render: ({ create_time }) => <RelativeTime time={create_time} />,
  },
  {
    title: '',
    width: '44px',
    render: (row) => (
      <span class="cell-end">
        <PersonMenu of={row} />
      </span>
    ),
  },
];

const statesToChoose = [
  { value: '', text: texts.anyState },
  { value: 'active', text: texts.states.active },
  { value: 'invited', text: texts.states.invited },
  { value: 'disabled', text: texts.states.disabled },
];

/** With more departments than this, the select becomes a combobox, which lists at most `maxFound`. */
const [fewDepartments, maxFound] = [50, 20];

interface DepartmentFilterProps {
  departments: readonly TeamDepartment[];
  value: string;
}

function DepartmentFilter({ departments, value }: DepartmentFilterProps) {
  const choices = useMemo(
    () => sortedByName(departments).map(({ id, name }) => ({ value: String(id), text: name })),
    [departments],
  );
  const choose = (department: string): void => setQuery({ department });
  if (departments.length === 0) return null;
  if (departments.length > fewDepartments)
    return (
      <Combobox
        label={texts.department}
        placeholder={texts.anyDepartment}
        chosen={choices.find((each) => each.value === value)}
        find={async (typed) => choices.filter(({ text }) => matchesSearch(text, typed)).slice(0, maxFound)}
        onChoose={(choice) => choose(choice?.value ?? '')}
      />
    );
  return (
    <FilterSelect
      label={texts.department}
      value={value}
      options={[{ value: '', text: texts.anyDepartment }, ...choices]}
      onChange={choose}
    />
  );
}

const wanted = (name: string): string => query.value.get(name) ?? '';

interface FiltersProps {
  filter: PeopleFilter;
  departments: readonly TeamDepartment[];
  /** How many people are shown. */
  status: string;
}

const Filters = ({ filter, departments, status }: FiltersProps) => (
  <div class="bar">
    <SearchField label={texts.search} value={filter.search} onInput={(search) => setQuery({ search })} />
    <FilterSelect
      label={texts.state}
      value={filter.state}
      options={statesToChoose}
      onChange={(state) => setQuery({ state })}
    />
    <DepartmentFilter departments={departments} value={filter.department} />
    <span class="quiet" role="status">
      {status}
    </span>
  </div>
);

const List = ({
  people,
  departments,
}: {
  people: readonly Person[];
  departments: readonly TeamDepartment[];
}) => {
  const filter = { search: wanted('search'), state: wanted('state'), department: wanted('department') };
  const shown = filterPeople(people, filter);
  return (
    <>
      <Filters filter={filter} departments={departments} status={texts.shown(shown.length, people.length)} />
      {shown.length === 0 ? (
        <EmptyState icon="search" title={texts.nobody}>
          <p class="quiet">{texts.nobodyText}</p>
        </EmptyState>
      ) : (
        <DataTable
          label={texts.label}
          name="people"
          columns={columns}
          rows={shown}
          keyOf={({ id }) => id}
          onOpen={({ email }) => navigate(personHref(email))}
        />
      )}
    </>
  );
};

const NoColleagues = () => (
  <EmptyState icon="people" title={texts.alone}>
    <p class="quiet">{texts.aloneText}</p>
    <TextButton look="primary" icon="add" onClick={() => void openInviteDialog()}>
      {texts.invite}
    </TextButton>
  </EmptyState>
);

export function PeoplePage() {
  const [people, departments] = [usePeople(), useDepartments()];
  const invite = (
    <TextButton look="primary" icon="add" onClick={() => void openInviteDialog()}>
      {texts.invite}
    </TextButton>
  );
  return (
    <TeamPage here="people" actions={invite}>
      <ResourceView resource={people}>
        {(all) => (
          <>
            <List people={all} departments={departments.value.value ?? []} />
            {all.length === 1 && <NoColleagues />}
          </>
        )}
      </ResourceView>
    </TeamPage>
  );
}
