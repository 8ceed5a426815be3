/** The page with the departments, which are sets of people with the same permissions. */
import { navigate, query, setQuery } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { TextButton } from '../../ui/button.tsx';
import { SearchField } from '../../ui/forms/form.tsx';
import { Badge } from '../../ui/layout.tsx';
import { EmptyState, ResourceView } from '../../ui/states.tsx';
import { DataTable } from '../../ui/tables/table.tsx';
import { type Column } from '../../ui/tables/column.ts';
import { useDepartments, type TeamDepartment } from '../team-data.ts';
import { DepartmentMenu, openNewDepartment } from './department-actions.tsx';
import { matchesSearch, sortedByName } from '../lists.ts';
import { departmentHref, TeamPage } from '../team-page.tsx';

const texts = t.team.departments;

const columns: readonly Column<TeamDepartment>[] = [
  {
    title: texts.name,
    id: 'name',
    sortBy: ({ name }) => name,
    render: ({ id, name, ldap, worker }) => (
      <span class="cell-name">
        <a href={departmentHref(id)}>{name}</a>
        {ldap && <Badge>{texts.ldap}</Badge>}
        {worker && <Badge>{texts.worker}</Badge>}
      </span>
    ),
  },
  {
    title: texts.size,
    id: 'size',
    sortBy: ({ size }) => size,
    width: '140px',
    render: ({ size }) => texts.people(size),
  },
  {
    title: texts.grants,
    id: 'grants',
    sortBy: ({ grants }) => grants,
    width: '140px',
    render: ({ grants }) => texts.roles(grants),
  },
  {
    title: '',
    width: '44px',
    render: (one) => (
      <span class="cell-end">
        <DepartmentMenu of={one} />
      </span>
    ),
  },
];

const create = (
  <TextButton look="primary" icon="add" onClick={() => void openNewDepartment()}>
    {texts.create}
  </TextButton>
);

const List = ({ departments }: { departments: readonly TeamDepartment[] }) => {
  const search = query.value.get('search') ?? '';
  const shown = sortedByName(departments.filter(({ name }) => matchesSearch(name, search)));
  return (
    <>
      <div class="bar">
        <SearchField label={texts.search} value={search} onInput={(value) => setQuery({ search: value })} />
      </div>
      {shown.length === 0 ? (
        <EmptyState icon="search" title={texts.noneFits} />
      ) : (
        <DataTable
          label={texts.label}
          name="departments"
          columns={columns}
          rows={shown}
          keyOf={({ id }) => id}
          onOpen={({ id }) => navigate(departmentHref(id))}
        />
      )}
    </>
  );
};

export function DepartmentsPage() {
  const departments = useDepartments();
  return (
    <TeamPage here="departments" actions={create}>
      <ResourceView resource={departments}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon="people" title={texts.none}>
              <p class="quiet">{texts.noneText}</p>
            </EmptyState>
          ) : (
            <List departments={all} />
          )
        }
      </ResourceView>
    </TeamPage>
  );
}
