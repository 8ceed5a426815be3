/** The page of one person: departments, granted roles, and their effective permissions. */
import { post } from '../../api.ts';
import { signedInUser } from '../../current-user.ts';
import type { PageProps } from '../../pages.ts';
import { useResource } from '../../resource.ts';
import { query } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { TextButton, IconButton } from '../../ui/button.tsx';
import { Dialog, openDialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Section } from '../../ui/layout.tsx';
import { attempt, showNotice } from '../../ui/notices.ts';
import { PagedList } from '../../ui/tables/pager.tsx';
import { PickList } from '../../ui/forms/pick-list.tsx';
import { EmptyState, ResourceView } from '../../ui/states.tsx';
import { useState } from 'preact/hooks';
import { PanelApiError } from '../../panel-api-error.ts';
import { withFieldError } from '../with-field-error.ts';
import {
  loadEffectiveRights,
  loadPerson,
  useDepartments,
  useEntries,
  type NamedItem,
  type Person,
} from '../team-data.ts';
import { GrantsSection } from '../grants/grants.tsx';
import { excluding, sortedByName } from '../lists.ts';
import { PersonStateBadge } from './people.tsx';
import { labelWithName } from './person-label.ts';
import { PersonMenu } from './person-menu.tsx';
import { DeviceRightsSection, OtherRightsSection } from './person-rights.tsx';
import { emailFromPath } from './person-href.ts';
import { departmentHref, InnerPage } from '../team-page.tsx';

const texts = t.team.person;

interface JoinDialogProps {
  email: string;
  /** The departments that the person already belongs to. */
  already: readonly NamedItem[];
  close: () => void;
}

function JoinDialog({ email, already, close }: JoinDialogProps) {
  const [chosen, setChosen] = useState('');
  const departments = useDepartments();
  const join = async (): Promise<void> => {
    if (!chosen) throw new PanelApiError('missing', 0, { message: t.team.give.choose, field: 'id' });
    await withFieldError('id', () => post('v1/team/department/member/add', { id: Number(chosen), email }));
    showNotice(t.team.departments.added(email));
    close();
  };
  return (
    <Dialog title={texts.addDepartment} onClose={close}>
      <ResourceView resource={departments}>
        {(all) => (
          <Form submit={t.common.add} onSubmit={join}>
            <PickList
              label={t.team.give.departments}
              name="id"
              options={sortedByName(excluding(already, all)).map(({ id, name }) => ({
                value: String(id),
                text: name,
              }))}
              value={chosen}
              onChange={setChosen}
            />
          </Form>
        )}
      </ResourceView>
    </Dialog>
  );
}

const removeFromDepartment = (email: string, id: number): Promise<boolean> =>
  attempt(
    () => post('v1/team/department/member/remove', { id, email }),
    t.team.departments.removedMember(email),
  );

const pageSize = 50;

const DepartmentsSection = ({ of: { email, departments } }: { of: Person }) => {
  const add = (
    <TextButton
      icon="add"
      onClick={() =>
        void openDialog((close) => <JoinDialog email={email} already={departments} close={close} />)
      }
    >
      {texts.addDepartment}
    </TextButton>
  );
  return (
    <Section title={texts.departments} lead={texts.departmentsLead} actions={add}>
      {departments.length === 0 && <p class="quiet">{texts.noDepartments}</p>}
      <PagedList items={sortedByName(departments)} size={pageSize}>
        {(some) => (
          <ul class="lines">
            {some.map(({ id, name }) => (
              <li key={id}>
                <a href={departmentHref(id)}>{name}</a>
                <IconButton
                  icon="end"
                  title={texts.removeDepartment(name)}
                  onClick={() => void removeFromDepartment(email, id)}
                />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </Section>
  );
};

const PersonDetails = ({ of }: { of: Person }) => {
  const entries = useEntries({ email: of.email });
  return (
    <>
      <div class="bar">
        <PersonStateBadge of={of} />
        {of.owner && <span>{texts.owner}</span>}
        {of.state === 'invited' && (
          <span class="quiet">{signedInUser.value.owner ? texts.invited : texts.invitedByMember}</span>
        )}
      </div>
      {!of.owner && (
        <>
          <DepartmentsSection of={of} />
          <GrantsSection
            title={texts.grants}
            lead={texts.grantsLead}
            none={texts.noGrants}
            omittedColumn="whom"
            entries={entries}
            preset={{ holder: { email: of.email } }}
          />
        </>
      )}
      <PersonRights email={of.email} />
    </>
  );
};

/** The effective permissions from all roles. */
export const PersonRights = ({ email }: { email: string }) => {
  const rights = useResource(`person ${email}`, (options) => loadEffectiveRights(email, options), [
    'team',
    'groups',
    'agents',
  ]);
  return (
    <ResourceView resource={rights}>
      {(effective) => (
        <>
          <OtherRightsSection of={effective} />
          <DeviceRightsSection of={effective} />
        </>
      )}
    </ResourceView>
  );
};

export function PersonPage({ params }: PageProps) {
  const email = emailFromPath(params['email'] ?? '', query.value);
  const person = useResource(`one ${email}`, (options) => loadPerson(email, options), ['team']);
  const one = person.value.value?.found;
  return (
    <InnerPage title={labelWithName(email, one?.name)} back="people" actions={one && <PersonMenu of={one} />}>
      <ResourceView resource={person}>
        {({ found }) =>
          found ? (
            <PersonDetails key={email} of={found} />
          ) : (
            <EmptyState icon="person" title={t.team.people.nobody} />
          )
        }
      </ResourceView>
    </InnerPage>
  );
}
