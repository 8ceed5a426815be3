/** A dialog that asks for a name. */
import { useState } from 'preact/hooks';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { Form, TextField } from '../ui/forms/form.tsx';

interface NameDialogOptions {
  title: string;
  label: string;
  hint?: string;
  submit: string;
  name?: string;
  save: (name: string) => Promise<unknown>;
}

function NameDialog({
  title,
  label,
  hint,
  submit,
  name: before = '',
  save,
  close,
}: NameDialogOptions & { close: () => void }) {
  const [name, setName] = useState(before);
  const send = async (): Promise<void> => {
    await save(name.trim());
    close();
  };
  return (
    <Dialog title={title} onClose={close}>
      <Form submit={submit} onSubmit={send}>
        <TextField
          label={label}
          name="name"
          hint={hint}
          value={name}
          maxLength={128}
          onInput={setName}
          autocomplete="off"
          autofocus
        />
      </Form>
    </Dialog>
  );
}

export const openNameDialog = (options: NameDialogOptions): Promise<void> =>
  openDialog((close) => <NameDialog {...options} close={close} />);
