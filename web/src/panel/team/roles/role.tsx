/** The page of one role: its permissions and its holders. */
import { get, type OutputOf } from '../../api.ts';
import type { PageProps } from '../../pages.ts';
import { useResource } from '../../resource.ts';
import { t } from '../../texts/index.ts';
import { TextButton } from '../../ui/button.tsx';
import { Badge, Section } from '../../ui/layout.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ResourceView } from '../../ui/states.tsx';
import { useEntries } from '../team-data.ts';
import { GrantsSection } from '../grants/grants.tsx';
import { editRole, RoleMenu } from './role-actions.tsx';
import { InnerPage } from '../team-page.tsx';
import { sortPermissions, permissionText } from '../access/permission-texts.ts';

const texts = t.team.roles;

type Info = OutputOf<'v1/team/role/info'>['data'];

const Allowed = ({ of: { type, permission, description, default: isSystem } }: { of: Info }) => (
  <Section title={texts.permissions}>
    {description !== '' && <p class="as-written">{description}</p>}
    <div class="bar">
      <Badge tone="accent">{t.team.types[type]}</Badge>
      {isSystem && <Badge>{texts.system}</Badge>}
      <span class="quiet">{isSystem ? texts.systemText : t.team.typeHints[type]}</span>
    </div>
    {permission.length === 0 && <p class="quiet">{texts.noPermissions}</p>}
    <ul class="rights two">
      {sortPermissions(permission, type).map((each) => (
        <li key={each}>
          <Icon name="check" />
          <p>{permissionText(each, type)}</p>
        </li>
      ))}
    </ul>
  </Section>
);

const RoleActions = ({ of, grants }: { of: Info; grants: number }) => (
  <>
    {!of.default && (
      <TextButton icon="edit" onClick={() => void editRole(of.id)}>
        {t.common.edit}
      </TextButton>
    )}
    <RoleMenu of={of} grants={grants} />
  </>
);

export function RolePage({ params }: PageProps) {
  const id = Number(params.id);
  const entries = useEntries({ role_id: id });
  const role = useResource(
    `role ${id}`,
    async (options) => (await get('v1/team/role/info', { id }, options)).data,
    ['team'],
  );
  const one = role.value.value;
  const grants = entries.value.value?.length ?? 0;
  return (
    <InnerPage
      title={one?.name ?? texts.back}
      back="roles"
      actions={one && <RoleActions of={one} grants={grants} />}
    >
      <ResourceView resource={role}>
        {(found) => (
          <>
            <Allowed of={found} />
            <GrantsSection
              title={texts.holders}
              none={texts.noHolders}
              omittedColumn="role"
              entries={entries}
              preset={{ role: found }}
            />
          </>
        )}
      </ResourceView>
    </InnerPage>
  );
}
