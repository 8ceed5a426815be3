/** One person: their departments, the roles given to them, and what they may do all told. */
import { get, post } from '../api.ts';
import type { PageProps } from '../pages.ts';
import { useResource, type Resource } from '../resource.ts';
import { query } from '../router.ts';
import { t } from '../texts/index.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { Section } from '../ui/layout.tsx';
import { attempt, say } from '../ui/notices.ts';
import { PickList } from '../ui/pick-list.tsx';
import { Empty, Show } from '../ui/states.tsx';
import { useState } from 'preact/hooks';
import { Refusal } from '../refusal.ts';
import { blaming } from './blamed.ts';
import { useDepartments, useEntries, usePeople, type Department, type Person as One } from './data.ts';
import { Grants } from './grants.tsx';
import { sortedByName } from './lists.ts';
import { StateBadge } from './people.tsx';
import { PersonMenu } from './person-menu.tsx';
import { DeviceRights, OtherRights } from './person-rights.tsx';
import { emailIn } from './person-address.ts';
import { departmentHref, InnerPage } from './team-page.tsx';

const texts = t.team.person;

interface JoinProps {
  email: string;
  departments: readonly Department[];
  close: () => void;
}

function Join({ email, departments, close }: JoinProps) {
  const [chosen, setChosen] = useState('');
  const join = async (): Promise<void> => {
    if (!chosen) throw new Refusal('missing', 0, { message: t.team.give.choose, field: 'id' });
    await blaming('id', () => post('v1/team/department/member/add', { id: Number(chosen), email }));
    say(t.team.departments.added(email));
    close();
  };
  return (
    <Dialog title={texts.addDepartment} onClose={close}>
      <Form submit={t.common.add} onSubmit={join}>
        <PickList
          label={t.team.give.departments}
          name="id"
          options={sortedByName(departments).map(({ id, name }) => ({ value: String(id), text: name }))}
          value={chosen}
          onChange={setChosen}
        />
      </Form>
    </Dialog>
  );
}

const leave = (email: string, id: number): Promise<boolean> =>
  attempt(
    () => post('v1/team/department/member/remove', { id, email }),
    t.team.departments.removedMember(email),
  );

const Departments = ({ of: { email, departments }, all }: { of: One; all: readonly Department[] }) => {
  const others = all.filter(({ id }) => !departments.some((each) => each.id === id));
  const add = others.length > 0 && (
    <Button
      icon="add"
      onClick={() => void openDialog((close) => <Join email={email} departments={others} close={close} />)}
    >
      {texts.addDepartment}
    </Button>
  );
  return (
    <Section title={texts.departments} lead={texts.departmentsLead} actions={add}>
      {departments.length === 0 && <p class="quiet">{texts.noDepartments}</p>}
      <ul class="lines">
        {sortedByName(departments).map(({ id, name }) => (
          <li key={id}>
            <a href={departmentHref(id)}>{name}</a>
            <IconButton
              icon="end"
              title={texts.removeDepartment(name)}
              onClick={() => void leave(email, id)}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
};

const Known = ({ of, all }: { of: One; all: Resource<Department[]> }) => {
  const entries = useEntries();
  return (
    <>
      <div class="bar">
        <StateBadge of={of} />
        {of.owner && <span>{texts.owner}</span>}
        {of.state === 'invited' && <span class="quiet">{texts.invited}</span>}
      </div>
      {!of.owner && (
        <>
          <Departments of={of} all={all.value.value ?? []} />
          <Grants
            title={texts.grants}
            lead={texts.grantsLead}
            none={texts.noGrants}
            side="whom"
            entries={entries}
            only={({ email }) => email === of.email}
            offer={{ holder: { email: of.email } }}
          />
        </>
      )}
      <Rights email={of.email} />
    </>
  );
};

/** What comes together from all roles. */
export const Rights = ({ email }: { email: string }) => {
  const entries = useEntries();
  const rights = useResource(
    `person ${email}`,
    async (asking) => (await get('access/person', { email }, asking)).data,
    ['team', 'groups', 'agents'],
  );
  return (
    <Show of={rights}>
      {(effective) => (
        <>
          <OtherRights of={effective} entries={entries.value.value ?? []} />
          <DeviceRights of={effective} entries={entries.value.value ?? []} />
        </>
      )}
    </Show>
  );
};

export function PersonPage({ params }: PageProps) {
  const email = emailIn(params['email'] ?? '', query.value);
  const [people, departments] = [usePeople(), useDepartments()];
  const one = people.value.value?.find((each) => each.email === email);
  return (
    <InnerPage title={email} back="people" actions={one && <PersonMenu of={one} />}>
      <Show of={people}>
        {() =>
          one ? (
            <Known key={email} of={one} all={departments} />
          ) : (
            <Empty icon="person" title={t.team.people.nobody} />
          )
        }
      </Show>
    </InnerPage>
  );
}
