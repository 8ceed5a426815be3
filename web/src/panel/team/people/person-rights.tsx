/** The sections with a person's permissions on devices, in quick support and in the team, and their reasons. */
import { useMemo, useState } from 'preact/hooks';
import type { RoleType } from '@drawbridge/contract/permissions';
import { t } from '../../texts/index.ts';
import { IconButton } from '../../ui/button.tsx';
import { SearchField } from '../../ui/forms/form.tsx';
import { Section } from '../../ui/layout.tsx';
import { DataTable } from '../../ui/tables/table.tsx';
import { type Column } from '../../ui/tables/column.ts';
import { useGroupNames, type EffectiveRights, type HeldPermission } from '../team-data.ts';
import { filterDeviceRights, type DevicePermissions } from '../lists.ts';
import { PermissionReasons, openReasonsDialog } from '../access/permission-reasons.tsx';
import { groupsInReasons, permissionSummary } from '../access/permission-texts.ts';

const texts = t.team.person;

interface RightsProps {
  of: EffectiveRights;
}

const permissionsOf = (held: readonly HeldPermission[]): string[] => held.map(({ permission }) => permission);

/** The names of the groups that the user may see and of those that reasons mention. */
function useGroupNameMap({ rights }: EffectiveRights): ReadonlyMap<number, string> {
  const groups = useGroupNames();
  const named = useMemo(() => groupsInReasons(rights), [rights]);
  const seen = (groups.value.value ?? []).map(({ id, name }) => [id, name] as const);
  return new Map([...named, ...seen]);
}

const columnsFor = (open: (device: DevicePermissions) => void): Column<DevicePermissions>[] => [
  {
    title: texts.device,
    render: (device) => (
      <span class="cell-name">
        <strong>{device.name || t.common.none}</strong>
      </span>
    ),
  },
  { title: texts.group, wideOnly: true, render: ({ group }) => group || t.common.none },
  {
    title: texts.may,
    width: 'minmax(0, 1.8fr)',
    render: ({ permissions }) => permissionSummary(permissionsOf(permissions), 'agent'),
  },
  {
    title: '',
    width: '44px',
    render: (device) => (
      <span class="cell-end">
        <IconButton icon="help" title={t.team.why.open(device.name)} onClick={() => open(device)} />
      </span>
    ),
  },
];

export function DeviceRightsSection({ of }: RightsProps) {
  const [search, setSearch] = useState('');
  const devices = filterDeviceRights(of, useGroupNameMap(of), search);
  const open = ({ name, permissions: held }: DevicePermissions): void =>
    void openReasonsDialog({ whom: of.email, where: name, held, type: 'agent', owner: of.owner });
  return (
    <Section title={texts.devices} lead={texts.devicesLead}>
      {of.devices.length > 0 && (
        <div class="bar">
          <SearchField label={texts.searchDevices} value={search} onInput={setSearch} />
          <span class="quiet" role="status">
            {texts.deviceCount(devices.length)}
          </span>
        </div>
      )}
      {devices.length === 0 ? (
        <p class="quiet">{search === '' ? texts.noDevices : texts.noSuchDevice}</p>
      ) : (
        <DataTable
          label={texts.devices}
          columns={columnsFor(open)}
          rows={devices}
          keyOf={({ id }) => id}
          onOpen={open}
        />
      )}
    </Section>
  );
}

export function OtherRightsSection({ of }: RightsProps) {
  const parts: [RoleType, readonly HeldPermission[]][] = [
    ['quick_support', of.support],
    ['team', of.team],
  ];
  return (
    <Section title={texts.elsewhere}>
      <div class="columns">
        {parts.map(([type, held]) => (
          <div key={type} class="rights-part">
            <h3>{t.team.types[type]}</h3>
            {held.length === 0 ? (
              <p class="quiet">{texts.elsewhereNone}</p>
            ) : (
              <PermissionReasons held={held} type={type} owner={of.owner} />
            )}
          </div>
        ))}
      </div>
    </Section>
  );
}
