/** The table of people and their permissions on one device; a dialog explains each person's permissions. */
import { permissionIds } from '@drawbridge/contract/permissions';
import { useResource } from '../../resource.ts';
import { t } from '../../texts/index.ts';
import { Icon } from '../../ui/icon.tsx';
import { Badge, Section } from '../../ui/layout.tsx';
import { ResourceView } from '../../ui/states.tsx';
import { DataTable } from '../../ui/tables/table.tsx';
import { type Column } from '../../ui/tables/column.ts';
import { loadHolders, useEntries, type DeviceHolder } from '../team-data.ts';
import { GrantsSection } from '../grants/grants.tsx';
import { sortedHolders } from '../lists.ts';
import { labelWithName } from '../people/person-label.ts';
import { openReasonsDialog } from './permission-reasons.tsx';
import { permissionShortText, permissionSummary } from './permission-texts.ts';

const texts = t.team.access;

const permissionsOf = ({ permissions }: DeviceHolder): string[] =>
  permissions.map(({ permission }) => permission);

const mark = (row: DeviceHolder, permission: string) =>
  permissionsOf(row).includes(permission) ? (
    <span class="mark" role="img" aria-label={texts.may}>
      <Icon name="check" />
    </span>
  ) : (
    <span class="mark" role="img" aria-label={texts.mayNot} />
  );

const columnsFor = (open: (row: DeviceHolder) => void): Column<DeviceHolder>[] => [
  {
    title: texts.who,
    width: 'minmax(170px, 1fr)',
    render: (row) => (
      <span class="cell-name matrix-name">
        <button type="button" class="text-button" onClick={() => open(row)}>
          {labelWithName(row.email, row.name)}
        </button>
        {row.owner && <Badge tone="accent">{t.team.people.states.owner}</Badge>}
        <span class="quiet matrix-summary">{permissionSummary(permissionsOf(row), 'agent')}</span>
      </span>
    ),
  },
  ...permissionIds('agent').map((permission) => ({
    title: permissionShortText(permission),
    width: '26px',
    wideOnly: true,
    render: (row: DeviceHolder) => mark(row, permission),
  })),
];

/** Rows are expensive, with one mark per permission, so longer tables render only the visible rows. */
const maxUnvirtualizedRows = 60;

function openReasonsOf({ email, name, owner, permissions: held }: DeviceHolder, where: string): void {
  void openReasonsDialog({ whom: labelWithName(email, name), where, held, type: 'agent', owner });
}

interface DeviceAccessProps {
  id: number;
  name: string;
}

export function DeviceAccess({ id, name }: DeviceAccessProps) {
  const entries = useEntries({ agent_id: id });
  const people = useResource(
    `device ${id}`,
    (options) => loadHolders(id, options),
    ['team', 'groups', 'agents'],
    { isRelevant: (ids, topic) => topic !== 'agents' || ids.includes(id) },
  );
  const open = (person: DeviceHolder): void => openReasonsOf(person, name);
  return (
    <>
      <Section title={texts.matrix} lead={texts.matrixLead}>
        <ResourceView resource={people}>
          {(all) => (
            <div class="matrix">
              <DataTable
                label={texts.matrix}
                columns={columnsFor(open)}
                rows={sortedHolders(all)}
                keyOf={({ email }) => email}
                onOpen={open}
                maxUnvirtualized={maxUnvirtualizedRows}
              />
              {all.every(({ owner }) => owner) && <p class="quiet">{texts.matrixNone}</p>}
            </div>
          )}
        </ResourceView>
      </Section>
      <GrantsSection
        title={texts.deviceGrants}
        none={texts.noDeviceGrants}
        omittedColumn="where"
        entries={entries}
        preset={{ on: { agent_id: id, name } }}
      />
    </>
  );
}
