/** The dialog that creates an API key and shows it once. */
import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { serverNow } from '../current-user.ts';
import { fieldError } from '../panel-api-error.ts';
import { t } from '../texts/index.ts';
import { ShownOnce } from '../ui/shown-once.tsx';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { Form, Select, TextArea, TextField } from '../ui/forms/form.tsx';
import { expiryOf, presets, type Preset } from './expiry.ts';
import { parseNetworkLines } from './networks.ts';

const texts = t.integration.create;

export const openCreateKey = (onCreated: (key: string) => void): void =>
  void openDialog((close) => <CreateKeyDialog close={close} onCreated={onCreated} />);

interface CreateKeyProps {
  close: () => void;
  onCreated: (key: string) => void;
}

function CreateKeyDialog({ close, onCreated }: CreateKeyProps) {
  const [key, setKey] = useState<string>();
  const made = (fresh: string): void => {
    setKey(fresh);
    onCreated(fresh);
  };
  return (
    <Dialog title={key === undefined ? texts.title : texts.madeTitle} onClose={close}>
      {key === undefined ? (
        <KeyForm onCreated={made} />
      ) : (
        <ShownOnce text={texts.madeText} secret={key} label={texts.madeLabel} close={close} />
      )}
    </Dialog>
  );
}

interface KeyDraft {
  name: string;
  preset: Preset;
  date: string;
  networks: string;
}

function parseNetworksField(text: string): string[] {
  const parsed = parseNetworkLines(text);
  if ('networks' in parsed) return parsed.networks;
  throw fieldError('networks', 'bad' in parsed ? texts.badNetwork(parsed.bad) : texts.tooManyNetworks);
}

async function create({ name, preset, date, networks }: KeyDraft): Promise<string> {
  const expires = expiryOf(preset, date, serverNow());
  if (expires === null) throw fieldError('expires', texts.dateMissing);
  const { api_key } = await post('v1/keys/create', {
    name: name.trim() || texts.unnamed,
    networks: parseNetworksField(networks),
    ...(expires !== undefined && { expires }),
  });
  return api_key;
}

const presetOptions = presets.map((value) => ({ value, text: texts.presets[value] }));

interface ExpiryFieldsProps {
  draft: Pick<KeyDraft, 'preset' | 'date'>;
  onChange: (part: Partial<KeyDraft>) => void;
}

const ExpiryFields = ({ draft, onChange }: ExpiryFieldsProps) => (
  <>
    <Select
      label={texts.expires}
      name="preset"
      options={presetOptions}
      value={draft.preset}
      onChange={(preset) => onChange({ preset: preset as Preset })}
    />
    {draft.preset === 'date' && (
      <TextField
        label={texts.date}
        name="expires"
        type="date"
        value={draft.date}
        onInput={(date) => onChange({ date })}
      />
    )}
  </>
);

function KeyForm({ onCreated }: Pick<CreateKeyProps, 'onCreated'>) {
  const [draft, setDraft] = useState<KeyDraft>({ name: '', preset: '90', date: '', networks: '' });
  const set = (part: Partial<KeyDraft>): void => setDraft((before) => ({ ...before, ...part }));
  return (
    <Form onSubmit={async () => onCreated(await create(draft))} submit={texts.submit}>
      <TextField
        label={texts.name}
        name="name"
        hint={texts.nameHint}
        autocomplete="off"
        maxLength={128}
        value={draft.name}
        onInput={(name) => set({ name })}
        autofocus
      />
      <ExpiryFields draft={draft} onChange={set} />
      <TextArea
        label={texts.networks}
        name="networks"
        hint={texts.networksHint}
        rows={3}
        value={draft.networks}
        onInput={(networks) => set({ networks })}
      />
    </Form>
  );
}
