/** The form for the name of a client; the name is shown to operators, not to the client. */
import { useState } from 'preact/hooks';
import { signedInUser } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { Form, TextField } from '../ui/forms/form.tsx';
import { showNotice } from '../ui/notices.ts';
import { renameInvitation } from './invitation-actions.ts';
import type { SupportInvitation } from './invitation.ts';

const { naming: texts } = t.support;

const maxNameLength = 128;

interface ClientNameFormProps {
  invitation: SupportInvitation;
  onDone: () => void;
  label?: string;
  autofocus?: boolean;
}

/** Only the account owner sees names; others set them without seeing the current one. */
export function ClientNameForm({
  invitation,
  onDone,
  label = texts.label,
  autofocus = false,
}: ClientNameFormProps) {
  const [name, setName] = useState(invitation.client_name);
  const { owner } = signedInUser.value;
  const save = async (): Promise<void> => {
    await renameInvitation(invitation, name);
    showNotice(t.common.saved);
    onDone();
  };
  return (
    <Form onSubmit={save} submit={t.common.save} disabled={!owner && name.trim() === ''}>
      <TextField
        label={label}
        name="name"
        value={name}
        onInput={setName}
        maxLength={maxNameLength}
        hint={owner ? texts.hint : texts.ownerHint}
        autocomplete="off"
        autofocus={autofocus}
      />
    </Form>
  );
}

export const openClientNameDialog = (invitation: SupportInvitation): void =>
  void openDialog((close) => (
    <Dialog title={texts.title} onClose={close}>
      <ClientNameForm invitation={invitation} onDone={close} autofocus />
    </Dialog>
  ));
