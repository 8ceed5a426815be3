/** The name of a client, which is for those who invite and not for the client. */
import { useState } from 'preact/hooks';
import { signedInUser } from '../me.ts';
import { t } from '../texts/index.ts';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { Form, TextField } from '../ui/form.tsx';
import { showNotice } from '../ui/notices.ts';
import { rename } from './deeds.ts';
import type { Invitation } from './invitation.ts';

const { naming: texts } = t.support;

const longest = 128;

interface NamingProps {
  invitation: Invitation;
  onDone: () => void;
  label?: string;
  autofocus?: boolean;
}

/** Names are shown to the owner of the account alone: others write them without seeing what was there. */
export function Naming({ invitation, onDone, label = texts.label, autofocus = false }: NamingProps) {
  const [name, setName] = useState(invitation.client_name);
  const { owner } = signedInUser.value;
  const save = async (): Promise<void> => {
    await rename(invitation, name);
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
        maxLength={longest}
        hint={owner ? texts.hint : texts.ownerHint}
        autocomplete="off"
        autofocus={autofocus}
      />
    </Form>
  );
}

export const openNaming = (invitation: Invitation): void =>
  void openDialog((close) => (
    <Dialog title={texts.title} onClose={close}>
      <Naming invitation={invitation} onDone={close} autofocus />
    </Dialog>
  ));
