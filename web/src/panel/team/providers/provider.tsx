/** The page of one identity provider: its settings, a test, and the departments of its groups. */
import { useState } from 'preact/hooks';
import { post } from '../../api.ts';
import type { PageProps } from '../../pages.ts';
import { fieldError, toErrorMessage } from '../../panel-api-error.ts';
import { navigate } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { IconButton, TextButton } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copy.tsx';
import { confirmAction, Dialog, openDialog } from '../../ui/dialog.tsx';
import { Form, Select, TextField } from '../../ui/forms/form.tsx';
import { DescriptionList, Section } from '../../ui/layout.tsx';
import { attempt } from '../../ui/notices.ts';
import { ResourceView } from '../../ui/states.tsx';
import { type Column } from '../../ui/tables/column.ts';
import { DataTable } from '../../ui/tables/table.tsx';
import { sortedByName } from '../lists.ts';
import { useDepartments, type TeamDepartment } from '../team-data.ts';
import { departmentHref, InnerPage, teamTabs } from '../team-page.tsx';
import { useProviders, type Provider } from './provider-data.ts';
import { editProvider } from './provider-form.tsx';

const texts = t.sso.team;
type MappedGroup = Provider['groups'][number];

/** Reads the discovery document, and says what is wrong. */
function TestButton({ id }: { id: number }) {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<{ text: string; isBad: boolean }>();
  const test = async (): Promise<void> => {
    setBusy(true);
    setOutcome(undefined);
    try {
      const { problem } = (await post('v1/team/provider/check', { id })).data;
      setOutcome({ text: texts.problems[problem] || texts.fine, isBad: problem !== '' });
    } catch (error) {
      setOutcome({ text: toErrorMessage(error), isBad: true });
    }
    setBusy(false);
  };
  return (
    <>
      <div class="bar">
        <TextButton busy={busy} onClick={() => void test()}>
          {texts.test}
        </TextButton>
      </div>
      <p class={outcome?.isBad ? 'form-problem' : 'quiet'} role="status">
        {outcome?.text}
      </p>
    </>
  );
}

const Settings = ({ of }: { of: Provider }) => (
  <Section title={texts.settings}>
    <DescriptionList
      items={[
        [texts.issuer, of.issuer],
        [texts.clientId, of.client_id],
        [texts.scopes, of.scopes],
        [texts.groupsClaim, of.groups_claim || '–'],
        [texts.people, texts.count(of.people)],
        [texts.state, of.enabled ? texts.on : texts.off],
      ]}
    />
    <p class="quiet">{texts.redirectHint}</p>
    <CopyLine text={of.redirect_uri} label={texts.redirect} />
    <TestButton id={of.id} />
  </Section>
);

const SignInLink = ({ of }: { of: Provider }) => (
  <Section title={texts.signInLink}>
    <CopyLine text={of.sign_in_url} label={texts.signInLink} />
    <p class="quiet">
      {texts.signInLinkHint} <code>{of.sign_in_name}</code>
    </p>
  </Section>
);

const LogoutAddress = ({ of }: { of: Provider }) => (
  <Section title={texts.logout} lead={texts.logoutHint}>
    <CopyLine text={of.logout_uri} label={texts.logout} />
  </Section>
);

/** Departments of directories are left out, because only the directory decides about their members. */
const departmentOptions = (departments: readonly TeamDepartment[]) => [
  { value: '', text: texts.chooseDepartment },
  ...sortedByName(departments.filter(({ ldap }) => !ldap)).map(({ id, name }) => ({
    value: String(id),
    text: name,
  })),
];

function AddGroup({ id, close }: { id: number; close: () => void }) {
  const [group, setGroup] = useState('');
  const [department, setDepartment] = useState('');
  const departments = useDepartments();
  const send = async (): Promise<void> => {
    if (department === '') throw fieldError('department_id', texts.chooseDepartment);
    await post('v1/team/provider/group/add', { id, group, department_id: Number(department) });
    close();
  };
  return (
    <Dialog title={texts.addGroup} onClose={close}>
      <ResourceView resource={departments}>
        {(all) => (
          <Form onSubmit={send} submit={t.common.add}>
            <TextField
              label={texts.group}
              name="group"
              hint={texts.groupHint}
              value={group}
              onInput={setGroup}
              maxLength={256}
              autocomplete="off"
              autofocus
            />
            <Select
              label={texts.department}
              name="department_id"
              value={department}
              onChange={setDepartment}
              options={departmentOptions(all)}
            />
          </Form>
        )}
      </ResourceView>
    </Dialog>
  );
}

const columnsFor = (id: number): readonly Column<MappedGroup>[] => [
  { title: texts.group, render: ({ group }) => <strong>{group}</strong> },
  {
    title: texts.department,
    render: ({ department_id, department }) => <a href={departmentHref(department_id)}>{department}</a>,
  },
  {
    title: '',
    width: '44px',
    render: ({ group, department_id }) => (
      <IconButton
        icon="trash"
        title={texts.removeGroup(group)}
        onClick={() =>
          void attempt(
            () => post('v1/team/provider/group/remove', { id, group, department_id }),
            texts.groupRemoved,
          )
        }
      />
    ),
  },
];

const Groups = ({ of: { id, groups } }: { of: Provider }) => (
  <Section
    title={texts.groups}
    lead={texts.groupsLead}
    actions={
      <TextButton onClick={() => void openDialog((close) => <AddGroup id={id} close={close} />)}>
        {texts.addGroup}
      </TextButton>
    }
  >
    {groups.length === 0 ? (
      <p class="quiet">{texts.noGroups}</p>
    ) : (
      <DataTable
        label={texts.groups}
        columns={columnsFor(id)}
        rows={groups}
        keyOf={({ group, department_id }) => `${department_id} ${group}`}
      />
    )}
  </Section>
);

async function remove({ id, name, people }: Provider): Promise<void> {
  const question = { title: texts.removeTitle(name), text: texts.removeText(people), yes: t.common.remove };
  if (!(await confirmAction(question))) return;
  if (await attempt(() => post('v1/team/provider/remove', { id }), texts.removed))
    navigate(teamTabs.providers, { replace: true });
}

const Actions = ({ of }: { of: Provider }) => (
  <>
    <TextButton icon="edit" onClick={() => void editProvider(of)}>
      {texts.edit}
    </TextButton>
    <TextButton icon="trash" onClick={() => void remove(of)}>
      {t.common.remove}
    </TextButton>
  </>
);

export function ProviderPage({ params }: PageProps) {
  const providers = useProviders();
  const found = providers.value.value?.data.find(({ id }) => id === Number(params.id));
  return (
    <InnerPage title={found?.name ?? texts.title} back="providers" actions={found && <Actions of={found} />}>
      <ResourceView resource={providers}>
        {() =>
          found ? (
            <>
              <SignInLink of={found} />
              <Settings of={found} />
              <LogoutAddress of={found} />
              <Groups of={found} />
            </>
          ) : (
            <p>{texts.notFound}</p>
          )
        }
      </ResourceView>
    </InnerPage>
  );
}
