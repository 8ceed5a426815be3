/** The profile section that lists, adds and removes passkeys. */
import { useState } from 'preact/hooks';
import { get, post, type OutputOf } from '../api.ts';
import { loadCurrentUser, signedInUser } from '../current-user.ts';
import { useResource } from '../resource.ts';
import { browserHasPasskeys, createPasskey } from '../sign-in/passkey.ts';
import { t } from '../texts/index.ts';
import { TextButton, IconButton } from '../ui/button.tsx';
import { confirmAction, Dialog, openDialog } from '../ui/dialog.tsx';
import { Form, TextField } from '../ui/forms/form.tsx';
import { Section } from '../ui/layout.tsx';
import { attempt, showNotice } from '../ui/notices.ts';
import { ResourceView } from '../ui/states.tsx';
import { DataTable } from '../ui/tables/table.tsx';
import { type Column } from '../ui/tables/column.ts';
import { RelativeTime } from '../ui/time.tsx';
import { describeBrowser } from './describe-browser.ts';

const texts = t.profile.passkeys;
type Passkey = OutputOf<'me/passkeys'>['data'][number];

export function PasskeysSection() {
  const { passkeys_work } = signedInUser.value;
  const passkeys = useResource('passkeys', (options) => get('me/passkeys', {}, options), ['me']);
  const changed = (): Promise<unknown> => Promise.all([passkeys.reload(), loadCurrentUser()]);
  const able = passkeys_work && browserHasPasskeys();
  return (
    <Section
      title={texts.title}
      lead={t.signIn.passkeys.what}
      actions={able && <TextButton onClick={() => openAddPasskey(changed)}>{texts.add}</TextButton>}
    >
      {!able && <p>{passkeys_work ? t.signIn.passkeys.noBrowser : t.signIn.passkeys.noName}</p>}
      <ResourceView resource={passkeys}>
        {({ data }) =>
          data.length > 0 ? (
            <div class="named-cells">
              <DataTable
                label={texts.table}
                columns={columnsFor(changed)}
                rows={data}
                keyOf={({ id }) => id}
              />
            </div>
          ) : (
            able && <p class="quiet">{texts.none}</p>
          )
        }
      </ResourceView>
    </Section>
  );
}

const columnsFor = (changed: () => Promise<unknown>): readonly Column<Passkey>[] => [
  { title: texts.name, render: ({ name }) => <strong>{name}</strong> },
  { title: texts.created, render: ({ create_time }) => <RelativeTime time={create_time} />, wideOnly: true },
  {
    title: texts.lastUsed,
    render: ({ last_used }) => (last_used === undefined ? texts.never : <RelativeTime time={last_used} />),
  },
  {
    title: '',
    width: '44px',
    render: (passkey) => (
      <IconButton
        icon="trash"
        title={texts.remove(passkey.name)}
        onClick={() => void remove(passkey, changed)}
      />
    ),
  },
];

async function remove({ id, name }: Passkey, changed: () => Promise<unknown>): Promise<void> {
  const { has_password, passkeys } = signedInUser.value;
  if (!has_password && passkeys <= 1) return showNotice(texts.removeLast);
  const question = { title: texts.removeTitle, text: texts.removeText(name), yes: t.common.remove };
  if (!(await confirmAction(question))) return;
  await attempt(async () => {
    await post('me/passkeys/remove', { id });
    await changed();
  }, texts.removed);
}

const openAddPasskey = (changed: () => Promise<unknown>): void =>
  void openDialog((close) => <AddPasskeyDialog close={close} changed={changed} />);

function AddPasskeyDialog({ close, changed }: { close: () => void; changed: () => Promise<unknown> }) {
  const [name, setName] = useState(describeBrowser(navigator.userAgent));
  const send = async (): Promise<void> => {
    await createPasskey(name);
    await changed();
    close();
    showNotice(texts.added);
  };
  return (
    <Dialog title={texts.addTitle} onClose={close}>
      <p class="quiet">{texts.addText}</p>
      <Form onSubmit={send} submit={texts.make} disabled={name.trim() === ''}>
        <TextField
          label={texts.name}
          name="name"
          autocomplete="off"
          maxLength={128}
          value={name}
          onInput={setName}
          autofocus
        />
      </Form>
    </Dialog>
  );
}
