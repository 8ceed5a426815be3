/** The tab that shows who may do what on a device, and through which roles. */
import { permissionsOf, type AgentPermission } from '@drawbridge/contract/permissions';
import { useResource } from '../../../resource.ts';
import { t } from '../../../texts/index.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { labelWithName } from '../../../team/people/person-label.ts';
import { loadHolders, type DeviceHolder } from '../../../team/team-data.ts';
import { Section } from '../../../ui/layout.tsx';
import { PagedList } from '../../../ui/tables/pager.tsx';
import { ResourceView } from '../../../ui/states.tsx';
import type { TabProps } from '../device-details.ts';

const texts = t.device.access;

const pageSize = 50;

const permissionText = (permission: string): string =>
  permissionsOf.agent[permission as AgentPermission] ?? permission;

/** The roles that give the person permissions on this device, without repetition. */
function rolesOf({ permissions }: DeviceHolder): string {
  const names = permissions.flatMap(({ through }) =>
    through.map(({ role, department }) =>
      department === undefined ? role : `${role} (${texts.department(department)})`,
    ),
  );
  return [...new Set(names)].join(', ');
}

const PersonView = ({ person }: { person: DeviceHolder }) => (
  <li class="access-person">
    <strong>{labelWithName(person.email, person.name)}</strong>
    {person.owner ? (
      <span class="quiet">{texts.owner}</span>
    ) : (
      <details>
        <summary>
          {texts.ofRights(person.permissions.length)} · {rolesOf(person)}
        </summary>
        <ul>
          {person.permissions.map(({ permission }) => (
            <li key={permission}>{permissionText(permission)}</li>
          ))}
        </ul>
      </details>
    )}
  </li>
);

export function AccessTab({ device }: TabProps) {
  const people = useResource(`access ${device.id}`, (options) => loadHolders(device.id, options), [
    'team',
    'groups',
  ]);
  return (
    <Section
      title={texts.table}
      lead={texts.lead}
      actions={<LinkButton href={`/panel/team/access?by=device&of=${device.id}`}>{texts.team}</LinkButton>}
    >
      <ResourceView resource={people}>
        {(found) => (
          <PagedList items={found} size={pageSize}>
            {(some) => (
              <ul class="waiting">
                {some.map((person) => (
                  <PersonView key={person.email} person={person} />
                ))}
              </ul>
            )}
          </PagedList>
        )}
      </ResourceView>
    </Section>
  );
}
