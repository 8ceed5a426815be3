/** The form that adds an identity provider or changes its settings. */
import { useState } from 'preact/hooks';
import { post } from '../../api.ts';
import { navigate } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { Dialog, openDialog } from '../../ui/dialog.tsx';
import { Checkbox, Form, TextArea, TextField } from '../../ui/forms/form.tsx';
import { providerHref, type Provider } from './provider-data.ts';

const texts = t.sso.team;

interface Draft {
  name: string;
  issuer: string;
  ca_cert: string;
  client_id: string;
  client_secret: string;
  scopes: string;
  groups_claim: string;
  create_people: boolean;
  adopt: boolean;
  enabled: boolean;
}

const emptyDraft: Draft = {
  name: '',
  issuer: '',
  ca_cert: '',
  client_id: '',
  client_secret: '',
  scopes: 'openid email profile',
  groups_claim: 'groups',
  create_people: false,
  adopt: false,
  enabled: true,
};

const toDraft = ({ name, issuer, ca_cert, client_id, ...provider }: Provider): Draft => ({
  name,
  issuer,
  ca_cert,
  client_id,
  client_secret: '',
  scopes: provider.scopes,
  groups_claim: provider.groups_claim,
  create_people: provider.create_people,
  adopt: provider.adopt,
  enabled: provider.enabled,
});

async function create(draft: Draft): Promise<void> {
  const { id } = await post('v1/team/provider/create', draft);
  navigate(providerHref(id));
}

/** The certificates are sent only if they changed, because others than the owner may not change them. */
async function update({ id, ca_cert: before }: Provider, draft: Draft): Promise<void> {
  const { client_secret, ca_cert, issuer: _issuer, ...settings } = draft;
  await post('v1/team/provider/update', {
    id,
    ...settings,
    ...(ca_cert !== before && { ca_cert }),
    ...(client_secret !== '' && { client_secret }),
  });
}

interface FieldsProps {
  draft: Draft;
  set: (changed: Partial<Draft>) => void;
  isNew: boolean;
}

const NameFields = ({ draft, set, isNew }: FieldsProps) => (
  <>
    <TextField
      label={texts.name}
      name="name"
      hint={texts.nameHint}
      value={draft.name}
      onInput={(name) => set({ name })}
      maxLength={128}
      required
      autofocus
    />
    {isNew && (
      <TextField
        label={texts.issuer}
        name="issuer"
        hint={texts.issuerHint}
        placeholder="https://"
        value={draft.issuer}
        onInput={(issuer) => set({ issuer })}
        maxLength={300}
        required
      />
    )}
  </>
);

const CredentialFields = ({ draft, set, isNew }: FieldsProps) => (
  <>
    <TextField
      label={texts.clientId}
      name="client_id"
      autocomplete="off"
      value={draft.client_id}
      onInput={(client_id) => set({ client_id })}
      maxLength={256}
      required
    />
    <TextField
      label={texts.clientSecret}
      name="client_secret"
      type="password"
      autocomplete="off"
      {...(!isNew && { hint: texts.secretKept })}
      value={draft.client_secret}
      onInput={(client_secret) => set({ client_secret })}
      maxLength={512}
    />
  </>
);

const ClaimFields = ({ draft, set }: FieldsProps) => (
  <>
    <TextField
      label={texts.scopes}
      name="scopes"
      hint={texts.scopesHint}
      value={draft.scopes}
      onInput={(scopes) => set({ scopes })}
      maxLength={256}
    />
    <TextField
      label={texts.groupsClaim}
      name="groups_claim"
      hint={texts.groupsClaimHint}
      value={draft.groups_claim}
      onInput={(groups_claim) => set({ groups_claim })}
      maxLength={128}
    />
    <TextArea
      label={texts.ca}
      name="ca_cert"
      hint={texts.caHint}
      rows={3}
      value={draft.ca_cert}
      onInput={(ca_cert) => set({ ca_cert })}
    />
  </>
);

const Switches = ({ draft, set }: FieldsProps) => (
  <>
    <Checkbox
      label={texts.createPeople}
      hint={texts.createPeopleHint}
      checked={draft.create_people}
      onChange={(create_people) => set({ create_people })}
    />
    <Checkbox
      label={texts.adopt}
      hint={texts.adoptHint}
      checked={draft.adopt}
      onChange={(adopt) => set({ adopt })}
    />
    <Checkbox
      label={texts.enabled}
      hint={texts.enabledHint}
      checked={draft.enabled}
      onChange={(enabled) => set({ enabled })}
    />
  </>
);

interface ProviderDialogProps {
  title: string;
  begin: Draft;
  isNew: boolean;
  save: (draft: Draft) => Promise<void>;
  close: () => void;
}

function ProviderDialog({ title, begin, isNew, save, close }: ProviderDialogProps) {
  const [draft, setDraft] = useState(begin);
  const set = (changed: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changed }));
  const send = async (): Promise<void> => {
    await save(draft);
    close();
  };
  return (
    <Dialog title={title} onClose={close} isSticky>
      <Form onSubmit={send} submit={isNew ? t.common.add : t.common.save}>
        <NameFields draft={draft} set={set} isNew={isNew} />
        <CredentialFields draft={draft} set={set} isNew={isNew} />
        <ClaimFields draft={draft} set={set} isNew={isNew} />
        <Switches draft={draft} set={set} isNew={isNew} />
      </Form>
    </Dialog>
  );
}

export const openNewProvider = (): Promise<void> =>
  openDialog((close) => (
    <ProviderDialog title={texts.addTitle} begin={emptyDraft} isNew save={create} close={close} />
  ));

export const editProvider = (provider: Provider): Promise<void> =>
  openDialog((close) => (
    <ProviderDialog
      title={texts.editTitle(provider.name)}
      begin={toDraft(provider)}
      isNew={false}
      save={(draft) => update(provider, draft)}
      close={close}
    />
  ));
