/**
 * The dialog that creates an account: asks for the owner's e-mail address, then shows the one-time link for the
 * owner.
 */
import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { OneTimeLink } from '../team/one-time-link.tsx';
import { t } from '../texts/index.ts';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { Form, TextField } from '../ui/forms/form.tsx';

const texts = t.server;

function NewAccountDialog({ close, onCreated }: { close: () => void; onCreated: () => void }) {
  const [email, setEmail] = useState('');
  const [url, setUrl] = useState<string>();
  const create = async (): Promise<void> => {
    setUrl((await post('server/accounts/create', { email: email.trim() })).url);
    onCreated();
  };
  if (url !== undefined)
    return (
      <Dialog title={texts.createdTitle} onClose={close}>
        <OneTimeLink
          says={texts.link(email.trim())}
          label={texts.linkLabel}
          url={url}
          done={texts.done}
          close={close}
        />
      </Dialog>
    );
  return (
    <Dialog title={texts.createTitle} onClose={close}>
      <p>{texts.createText}</p>
      <Form submit={t.common.create} onSubmit={create}>
        <TextField
          label={texts.email}
          name="email"
          type="email"
          autocomplete="off"
          value={email}
          onInput={setEmail}
          autofocus
        />
      </Form>
    </Dialog>
  );
}

export const openNewAccount = (onCreated: () => void): Promise<void> =>
  openDialog((close) => <NewAccountDialog close={close} onCreated={onCreated} />);
