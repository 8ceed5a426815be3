/** The dialog that creates a token for an identity provider and shows it once. */
import { useState } from 'preact/hooks';
import { post, type OutputOf } from '../../api.ts';
import { serverNow } from '../../current-user.ts';
import { expiryOf } from '../../integration/expiry.ts';
import { t } from '../../texts/index.ts';
import { CopyLine } from '../../ui/copy.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Dialog, openDialog } from '../../ui/dialog.tsx';
import { Form, Select, TextField } from '../../ui/forms/form.tsx';

const texts = t.provisioning;
const { dialog } = texts;

type CreatedToken = OutputOf<'v1/team/scim/token/create'>;
type Lifetime = keyof typeof dialog.presets;

const lifetimes = Object.entries(dialog.presets).map(([value, text]) => ({ value, text }));

export const openCreateToken = (onCreated: () => void): void =>
  void openDialog((close) => <CreateTokenDialog close={close} onCreated={onCreated} />);

interface CreateTokenProps {
  close: () => void;
  onCreated: () => void;
}

function CreateTokenDialog({ close, onCreated }: CreateTokenProps) {
  const [created, setCreated] = useState<CreatedToken>();
  const finish = (token: CreatedToken): void => {
    setCreated(token);
    onCreated();
  };
  return (
    <Dialog title={created ? dialog.madeTitle : dialog.title} onClose={close}>
      {created ? <ShownToken created={created} close={close} /> : <TokenForm onCreated={finish} />}
    </Dialog>
  );
}

function TokenForm({ onCreated }: { onCreated: (token: CreatedToken) => void }) {
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>('365');
  const create = async (): Promise<void> => {
    const expires = expiryOf(lifetime, '', serverNow());
    const input = { name: name.trim() || dialog.unnamed, ...(typeof expires === 'number' && { expires }) };
    onCreated(await post('v1/team/scim/token/create', input));
  };
  return (
    <Form onSubmit={create} submit={dialog.submit}>
      <TextField
        label={texts.name}
        name="name"
        hint={dialog.nameHint}
        autocomplete="off"
        maxLength={128}
        value={name}
        onInput={setName}
        autofocus
      />
      <Select
        label={texts.expires}
        name="expires"
        options={lifetimes}
        value={lifetime}
        onChange={(value) => setLifetime(value as Lifetime)}
      />
      <p class="quiet">{dialog.rights}</p>
    </Form>
  );
}

const ShownToken = ({ created, close }: { created: CreatedToken; close: () => void }) => (
  <ShownOnce text={dialog.madeText} secret={created.token} label={dialog.madeLabel} close={close}>
    <p>{texts.baseUrl}</p>
    <CopyLine text={created.base_url} label={texts.baseUrl} />
  </ShownOnce>
);
