/** The page that edits the account's brand: name, logo and accent colour. */
import { useState } from 'preact/hooks';
import { get, post } from '../api.ts';
import { loadCurrentUser } from '../current-user.ts';
import { PanelApiError } from '../panel-api-error.ts';
import { useResource } from '../resource.ts';
import type { Brand } from '@drawbridge/contract/brand';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { confirmAction } from '../ui/dialog.tsx';
import { Form, TextField } from '../ui/forms/form.tsx';
import { Section } from '../ui/layout.tsx';
import { attempt, showNotice } from '../ui/notices.ts';
import { ResourceView } from '../ui/states.tsx';
import { AdminPage } from './admin-page.tsx';
import { BrandPreview } from './brand-preview.tsx';
import { isColour, defaultAccent } from './brand.ts';
import { LogoForm } from './logo.tsx';

const texts = t.admin.branding;

interface PartProps {
  of: Brand;
  onChanged: () => Promise<unknown>;
}

interface AccentProps {
  value: string;
  onInput: (value: string) => void;
}

const Accent = ({ value, onInput }: AccentProps) => (
  <div class="accent-fields">
    <TextField
      label={texts.accent}
      name="accent"
      hint={texts.accentHint}
      value={value}
      maxLength={7}
      autocomplete="off"
      onInput={onInput}
    />
    <input
      type="color"
      aria-label={texts.pick}
      title={texts.pick}
      value={isColour(value) ? value : defaultAccent}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  </div>
);

function LookForm({ of, onChanged }: PartProps) {
  const [changed, setChanged] = useState<{ name?: string; accent?: string }>({});
  const shown = { ...of, ...changed };
  const save = async (): Promise<void> => {
    const accent = shown.accent.trim();
    if (accent !== '' && !isColour(accent))
      throw new PanelApiError('invalid', 0, { message: texts.badAccent, field: 'accent' });
    await post('v1/branding/update', { name: shown.name.trim(), accent });
    await onChanged();
    setChanged({});
    showNotice(texts.saved);
  };
  return (
    <Section>
      <Form submit={t.common.save} onSubmit={save} disabled={Object.keys(changed).length === 0}>
        <TextField
          label={texts.name}
          name="name"
          hint={texts.nameHint}
          value={shown.name}
          maxLength={64}
          autocomplete="off"
          onInput={(name) => setChanged({ ...changed, name })}
        />
        <Accent value={shown.accent} onInput={(accent) => setChanged({ ...changed, accent })} />
        <h2>{texts.preview}</h2>
        <BrandPreview of={{ ...shown, accent: shown.accent.trim() }} />
      </Form>
    </Section>
  );
}

async function reset(onChanged: PartProps['onChanged']): Promise<void> {
  if (!(await confirmAction({ title: texts.resetTitle, text: texts.resetText, yes: texts.reset }))) return;
  const all = async (): Promise<void> => {
    await post('v1/branding/update', { name: '', accent: '' });
    await post('v1/branding/logo/remove', {});
  };
  await attempt(all, texts.resetDone);
  await onChanged();
}

const isDefault = ({ name, logo, accent }: Brand): boolean => name === '' && logo === '' && accent === '';

export function BrandingPage() {
  const brand = useResource('brand', async (options) => (await get('v1/branding/info', {}, options)).data, [
    'account',
  ]);
  // The frame around the page shows the brand too.
  const onChanged = (): Promise<unknown> => Promise.all([brand.reload(), loadCurrentUser(true)]);
  const now = brand.value.value;
  const back = now && !isDefault(now) && (
    <TextButton icon="again" onClick={() => void reset(onChanged)}>
      {texts.reset}
    </TextButton>
  );
  return (
    <AdminPage here="branding" lead={texts.lead} actions={back}>
      <ResourceView resource={brand}>
        {(found) => (
          <div class="columns">
            <LookForm of={found} onChanged={onChanged} />
            <LogoForm logo={found.logo} onChanged={onChanged} />
          </div>
        )}
      </ResourceView>
    </AdminPage>
  );
}
