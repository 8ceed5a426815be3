/** The page with the roles, which are named sets of permissions, grouped by type. */
import type { RoleType } from '@drawbridge/contract/permissions';
import { navigate, query, setQuery } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { TextButton } from '../../ui/button.tsx';
import { SearchField } from '../../ui/forms/form.tsx';
import { Badge } from '../../ui/layout.tsx';
import { EmptyState, ResourceView } from '../../ui/states.tsx';
import { DataTable } from '../../ui/tables/table.tsx';
import { type Column } from '../../ui/tables/column.ts';
import { useRoles, type TeamRole } from '../team-data.ts';
import { rolesByType } from '../lists.ts';
import { RoleMenu } from './role-actions.tsx';
import { openNewRole } from './role-form.tsx';
import { roleHref, TeamPage } from '../team-page.tsx';
import { permissionSummary } from '../access/permission-texts.ts';

const texts = t.team.roles;

const columnsFor = (type: RoleType): Column<TeamRole>[] => [
  {
    title: texts.name,
    id: 'name',
    sortBy: ({ name }) => name,
    width: 'minmax(0, 1.2fr)',
    render: ({ id, name, default: isSystem }) => (
      <span class="cell-name">
        <a href={roleHref(id)}>{name}</a>
        {isSystem && <Badge>{texts.system}</Badge>}
      </span>
    ),
  },
  {
    title: texts.may,
    width: 'minmax(0, 1.6fr)',
    render: ({ permission }) => permissionSummary(permission, type),
  },
  {
    title: texts.uses,
    id: 'uses',
    sortBy: ({ grants }) => grants,
    width: '140px',
    render: ({ grants }) => texts.usesOf(grants),
  },
  {
    title: '',
    width: '44px',
    render: (role) => (
      <span class="cell-end">
        <RoleMenu of={role} grants={role.grants} />
      </span>
    ),
  },
];

const List = ({ roles }: { roles: readonly TeamRole[] }) => {
  const search = query.value.get('search') ?? '';
  const parts = rolesByType(roles, search);
  return (
    <>
      <div class="bar">
        <SearchField label={texts.search} value={search} onInput={(value) => setQuery({ search: value })} />
      </div>
      {parts.length === 0 && <EmptyState icon="search" title={texts.noneFits} />}
      {parts.map(({ type, roles: some }) => (
        <section key={type} class="titled">
          <h2>{t.team.types[type]}</h2>
          <p class="quiet">{t.team.typeHints[type]}</p>
          <DataTable
            label={texts.label(t.team.types[type])}
            name="roles"
            columns={columnsFor(type)}
            rows={some}
            keyOf={({ id }) => id}
            onOpen={({ id }) => navigate(roleHref(id))}
          />
        </section>
      ))}
    </>
  );
};

const create = (
  <TextButton look="primary" icon="add" onClick={() => void openNewRole()}>
    {texts.create}
  </TextButton>
);

export function RolesPage() {
  const roles = useRoles();
  return (
    <TeamPage here="roles" actions={create}>
      <ResourceView resource={roles}>{(all) => <List roles={all} />}</ResourceView>
    </TeamPage>
  );
}
