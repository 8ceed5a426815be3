/** Makes an API key, and shows it once. */
import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { serverNow } from '../me.ts';
import { fieldError } from '../refusal.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { CopyLine } from '../ui/copy.tsx';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { Form, Select, TextArea, TextField } from '../ui/form.tsx';
import { expiryOf, presets, type Preset } from './expiry.ts';
import { readNetworks } from './networks.ts';

const texts = t.integration.create;

export const openCreation = (onCreated: (key: string) => void): void =>
  void openDialog((close) => <Creation close={close} onCreated={onCreated} />);

interface CreationProps {
  close: () => void;
  onCreated: (key: string) => void;
}

function Creation({ close, onCreated }: CreationProps) {
  const [key, setKey] = useState<string>();
  const made = (fresh: string): void => {
    setKey(fresh);
    onCreated(fresh);
  };
  return (
    <Dialog title={key === undefined ? texts.title : texts.madeTitle} onClose={close}>
      {key === undefined ? <Wishes onCreated={made} /> : <Made apiKey={key} close={close} />}
    </Dialog>
  );
}

interface Wish {
  name: string;
  preset: Preset;
  date: string;
  networks: string;
}

function networksOf(text: string): string[] {
  const read = readNetworks(text);
  if ('networks' in read) return read.networks;
  throw fieldError('networks', 'bad' in read ? texts.badNetwork(read.bad) : texts.tooManyNetworks);
}

async function create({ name, preset, date, networks }: Wish): Promise<string> {
  const expires = expiryOf(preset, date, serverNow());
  if (expires === null) throw fieldError('expires', texts.dateMissing);
  const { api_key } = await post('v1/keys/create', {
    name: name.trim() || texts.unnamed,
    networks: networksOf(networks),
    ...(expires !== undefined && { expires }),
  });
  return api_key;
}

const presetOptions = presets.map((value) => ({ value, text: texts.presets[value] }));

function Wishes({ onCreated }: Pick<CreationProps, 'onMade'>) {
  const [wish, setWish] = useState<Wish>({ name: '', preset: '90', date: '', networks: '' });
  const set = (part: Partial<Wish>): void => setWish((before) => ({ ...before, ...part }));
  return (
    <Form onSubmit={async () => onCreated(await create(wish))} submit={texts.submit}>
      <TextField
        label={texts.name}
        name="name"
        hint={texts.nameHint}
        autocomplete="off"
        maxLength={128}
        value={wish.name}
        onInput={(name) => set({ name })}
        autofocus
      />
      <Select
        label={texts.expires}
        name="preset"
        options={presetOptions}
        value={wish.preset}
        onChange={(preset) => set({ preset: preset as Preset })}
      />
      {wish.preset === 'date' && (
        <TextField
          label={texts.date}
          name="expires"
          type="date"
          value={wish.date}
          onInput={(date) => set({ date })}
        />
      )}
      <TextArea
        label={texts.networks}
        name="networks"
        hint={texts.networksHint}
        rows={3}
        value={wish.networks}
        onInput={(networks) => set({ networks })}
      />
    </Form>
  );
}

const Made = ({ apiKey, close }: { apiKey: string; close: () => void }) => (
  <>
    <p>{texts.madeText}</p>
    <CopyLine text={apiKey} label={texts.madeLabel} />
    <div class="row">
      <TextButton look="primary" onClick={close}>
        {texts.done}
      </TextButton>
    </div>
  </>
);
