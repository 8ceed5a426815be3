/** The form for the user's own name, which others see beside their e-mail address. */
import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { loadCurrentUser, signedInUser } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { Form, TextField } from '../ui/forms/form.tsx';
import { showNotice } from '../ui/notices.ts';

const texts = t.profile.who;
const maxNameLength = 128;

function NameForm({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState(signedInUser.value.name);
  const save = async (): Promise<void> => {
    await post('me/name', { name });
    await loadCurrentUser();
    showNotice(t.common.saved);
    onDone();
  };
  return (
    <Form onSubmit={save} submit={t.common.save}>
      <TextField
        label={texts.name}
        name="name"
        value={name}
        onInput={setName}
        maxLength={maxNameLength}
        hint={texts.nameHint}
        autocomplete="name"
        autofocus
      />
    </Form>
  );
}

export const openOwnNameDialog = (): void =>
  void openDialog((close) => (
    <Dialog title={texts.nameTitle} onClose={close}>
      <NameForm onDone={close} />
    </Dialog>
  ));
