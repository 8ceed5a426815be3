/** The dialog that renames a device. */
import { useState } from 'preact/hooks';
import { post } from '../../api.ts';
import { t } from '../../texts/index.ts';
import { Dialog, openDialog } from '../../ui/dialog.tsx';
import { Form, TextField } from '../../ui/forms/form.tsx';
import { showNotice } from '../../ui/notices.ts';
import type { NamedDevice } from './actions.tsx';
import { patchDevice } from '../device-store.ts';

function RenameDialog({ id, name: before, close }: NamedDevice & { close: () => void }) {
  const [name, setName] = useState(before);
  const send = async (): Promise<void> => {
    await post('v1/agents/update', { id, name });
    patchDevice(id, { name: name.trim() });
    showNotice(t.common.saved);
    close();
  };
  return (
    <Dialog title={t.devices.rename} onClose={close}>
      <Form onSubmit={send} submit={t.common.save}>
        <TextField
          label={t.common.name}
          name="name"
          value={name}
          onInput={setName}
          maxLength={128}
          autofocus
        />
      </Form>
    </Dialog>
  );
}

export const openRenameDialog = ({ id, name }: NamedDevice): Promise<void> =>
  openDialog((close) => <RenameDialog id={id} name={name} close={close} />);
