/** The page of one department: its members and its roles. */
import { useState } from 'preact/hooks';
import { get, post, type OutputOf } from '../../api.ts';
import type { PageProps } from '../../pages.ts';
import { PanelApiError } from '../../panel-api-error.ts';
import { useResource } from '../../resource.ts';
import { t } from '../../texts/index.ts';
import { TextButton, IconButton } from '../../ui/button.tsx';
import { Dialog, openDialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Section } from '../../ui/layout.tsx';
import { attempt, showNotice } from '../../ui/notices.ts';
import { PickList } from '../../ui/forms/pick-list.tsx';
import { ResourceView } from '../../ui/states.tsx';
import { DataTable } from '../../ui/tables/table.tsx';
import { type Column } from '../../ui/tables/column.ts';
import { withFieldError } from '../with-field-error.ts';
import { usePeople, useEntries, usePersonNames } from '../team-data.ts';
import { DepartmentMenu } from './department-actions.tsx';
import { GrantsSection } from '../grants/grants.tsx';
import { filterPeople } from '../lists.ts';
import { personHref } from '../people/person-href.ts';
import { labelWithName, personLabel, type PersonNames } from '../people/person-label.ts';
import { InnerPage } from '../team-page.tsx';

const texts = t.team.departments;

type Info = OutputOf<'v1/team/department/info'>['data'];
type Member = Info['members'][number];

interface AddProps {
  to: Info;
  close: () => void;
}

function AddMember({ to: { id, name, members }, close }: AddProps) {
  const [email, setEmail] = useState('');
  const people = usePeople();
  const already = new Set(members.map((member) => member.email));
  const add = async (): Promise<void> => {
    if (!email) throw new PanelApiError('missing', 0, { message: t.team.give.choose, field: 'email' });
    await withFieldError('email', () => post('v1/team/department/member/add', { id, email }));
    showNotice(texts.added(email));
    close();
  };
  return (
    <Dialog title={texts.addTitle(name)} onClose={close}>
      <ResourceView resource={people}>
        {(all) => (
          <Form submit={t.common.add} onSubmit={add}>
            <PickList
              label={t.team.give.people}
              name="email"
              options={filterPeople(all, { search: '', state: '', department: '' })
                .filter(({ email: each }) => !already.has(each))
                .map((each) => ({ value: each.email, text: labelWithName(each.email, each.name) }))}
              value={email}
              onChange={setEmail}
            />
          </Form>
        )}
      </ResourceView>
    </Dialog>
  );
}

const removeMember = (id: number, email: string): Promise<boolean> =>
  attempt(() => post('v1/team/department/member/remove', { id, email }), texts.removedMember(email));

const columnsFor = (id: number, names: PersonNames): Column<Member>[] => [
  {
    title: t.team.people.person,
    id: 'person',
    sortBy: ({ email }) => personLabel(email, names),
    render: ({ email }) => (
      <span class="cell-name">
        <a href={personHref(email)}>{personLabel(email, names)}</a>
      </span>
    ),
  },
  {
    title: '',
    width: '44px',
    render: ({ email }) => (
      <span class="cell-end">
        <IconButton
          icon="end"
          title={texts.removeMember(email)}
          onClick={() => void removeMember(id, email)}
        />
      </span>
    ),
  },
];

const Members = ({ of, names }: { of: Info; names: PersonNames }) => (
  <Section
    title={texts.members}
    lead={texts.membersLead}
    actions={
      <TextButton icon="add" onClick={() => void openDialog((close) => <AddMember to={of} close={close} />)}>
        {texts.addMember}
      </TextButton>
    }
  >
    {of.members.length === 0 ? (
      <p class="quiet">{texts.noMembers}</p>
    ) : (
      <DataTable
        label={texts.members}
        name="department-members"
        columns={columnsFor(of.id, names)}
        rows={of.members.toSorted((one, other) =>
          personLabel(one.email, names).localeCompare(personLabel(other.email, names)),
        )}
        keyOf={({ email }) => email}
      />
    )}
  </Section>
);

export function DepartmentPage({ params }: PageProps) {
  const id = Number(params.id);
  const entries = useEntries({ department_id: id });
  const names = usePersonNames();
  const department = useResource(
    `department ${id}`,
    async (options) => (await get('v1/team/department/info', { id }, options)).data,
    ['team'],
  );
  const one = department.value.value;
  const grants = entries.value.value?.length ?? 0;
  return (
    <InnerPage
      title={one?.name ?? texts.back}
      back="departments"
      actions={one && <DepartmentMenu of={{ ...one, size: one.members.length, grants }} />}
    >
      <ResourceView resource={department}>
        {(found) => (
          <>
            <GrantsSection
              title={texts.access}
              none={texts.noGrants}
              omittedColumn="whom"
              entries={entries}
              preset={{ holder: { department_id: id, department: found.name } }}
            />
            <Members of={found} names={names} />
          </>
        )}
      </ResourceView>
    </InnerPage>
  );
}
