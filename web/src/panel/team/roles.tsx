/** The roles: sets of permissions under a name, by where they hold. */
import type { RoleType } from '@drawbridge/contract/permissions';
import { go, query, setQuery } from '../router.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { SearchField } from '../ui/form.tsx';
import { Badge } from '../ui/layout.tsx';
import { Empty, Show } from '../ui/states.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { useEntries, useRoles, type Role } from './data.ts';
import { countBy, rolesByType } from './lists.ts';
import { RoleMenu } from './role-actions.tsx';
import { openNewRole } from './role-form.tsx';
import { roleHref, TeamPage } from './team-page.tsx';
import { summaryOf } from './words.ts';

const texts = t.team.roles;

const columnsFor = (type: RoleType, uses: ReadonlyMap<number, number>): Column<Role>[] => [
  {
    title: texts.name,
    width: 'minmax(0, 1.2fr)',
    draw: ({ id, name, default: isSystem }) => (
      <span class="cell-name">
        <a href={roleHref(id)}>{name}</a>
        {isSystem && <Badge>{texts.system}</Badge>}
      </span>
    ),
  },
  { title: texts.may, width: 'minmax(0, 1.6fr)', draw: ({ permission }) => summaryOf(permission, type) },
  { title: texts.uses, width: '140px', draw: ({ id }) => texts.usesOf(uses.get(id) ?? 0) },
  {
    title: '',
    width: '44px',
    draw: (role) => (
      <span class="cell-end">
        <RoleMenu of={role} grants={uses.get(role.id) ?? 0} />
      </span>
    ),
  },
];

const List = ({ roles, uses }: { roles: readonly Role[]; uses: Map<number, number> }) => {
  const search = query.value.get('search') ?? '';
  const parts = rolesByType(roles, search);
  return (
    <>
      <div class="bar">
        <SearchField label={texts.search} value={search} onInput={(value) => setQuery({ search: value })} />
      </div>
      {parts.length === 0 && <Empty icon="search" title={texts.noneFits} />}
      {parts.map(({ type, roles: some }) => (
        <section key={type} class="titled">
          <h2>{t.team.types[type]}</h2>
          <p class="quiet">{t.team.typeHints[type]}</p>
          <Table
            label={texts.label(t.team.types[type])}
            columns={columnsFor(type, uses)}
            rows={some}
            keyOf={({ id }) => id}
            onOpen={({ id }) => go(roleHref(id))}
          />
        </section>
      ))}
    </>
  );
};

const create = (
  <Button look="primary" icon="add" onClick={() => void openNewRole()}>
    {texts.create}
  </Button>
);

export function Roles() {
  const [roles, entries] = [useRoles(), useEntries()];
  return (
    <TeamPage here="roles" actions={create}>
      <Show of={roles}>
        {(all) => <List roles={all} uses={countBy(entries.value.value ?? [], 'role_id')} />}
      </Show>
    </TeamPage>
  );
}
