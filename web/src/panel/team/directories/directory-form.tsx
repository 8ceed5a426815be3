/** The fields of a directory's settings, and the dialog that connects a new directory. */
import { useState } from 'preact/hooks';
import { post } from '../../api.ts';
import { navigate } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { Dialog, openDialog } from '../../ui/dialog.tsx';
import { Checkbox, Form, Select, TextArea, TextField } from '../../ui/forms/form.tsx';
import { showNotice } from '../../ui/notices.ts';
import { directoryHref, type Directory } from './directory-data.ts';
import {
  draftOf,
  newDirectoryDraft,
  scheduleOptions,
  toChangedParams,
  toCreateParams,
  type DirectoryDraft,
} from './directory-draft.ts';

const texts = t.directories.form;

interface FieldsProps {
  draft: DirectoryDraft;
  set: (part: Partial<DirectoryDraft>) => void;
}

const ServerFields = ({ draft, set, keepsPassword }: FieldsProps & { keepsPassword: boolean }) => (
  <>
    <TextField
      label={texts.url}
      name="url"
      hint={texts.urlHint}
      value={draft.url}
      maxLength={300}
      autocomplete="off"
      onInput={(url) => set({ url })}
    />
    <TextArea
      label={texts.ca}
      name="ca_cert"
      hint={texts.caHint}
      rows={3}
      value={draft.ca_cert}
      onInput={(ca_cert) => set({ ca_cert })}
    />
    <TextField
      label={texts.bindDn}
      name="bind_dn"
      hint={texts.bindDnHint}
      value={draft.bind_dn}
      autocomplete="off"
      onInput={(bind_dn) => set({ bind_dn })}
    />
    <TextField
      label={texts.bindPassword}
      name="bind_password"
      type="password"
      {...(keepsPassword && { hint: texts.keepPassword })}
      value={draft.bind_password}
      autocomplete="off"
      onInput={(bind_password) => set({ bind_password })}
    />
  </>
);

const SearchFields = ({ draft, set }: FieldsProps) => (
  <>
    <TextField
      label={texts.base}
      name="base"
      hint={texts.baseHint}
      value={draft.base}
      autocomplete="off"
      onInput={(base) => set({ base })}
    />
    <TextField
      label={texts.personFilter}
      name="person_filter"
      value={draft.person_filter}
      autocomplete="off"
      onInput={(person_filter) => set({ person_filter })}
    />
    <TextField
      label={texts.groupFilter}
      name="group_filter"
      hint={texts.groupFilterHint}
      value={draft.group_filter}
      autocomplete="off"
      onInput={(group_filter) => set({ group_filter })}
    />
  </>
);

const ImportFields = ({ draft, set }: FieldsProps) => (
  <>
    <Select
      label={texts.schedule}
      name="every_minutes"
      value={draft.every_minutes}
      onChange={(every_minutes) => set({ every_minutes })}
      options={scheduleOptions(draft.every_minutes)}
    />
    <TextField
      label={texts.removal}
      name="removal_percent"
      type="number"
      inputMode="numeric"
      hint={texts.removalHint}
      value={draft.removal_percent}
      onInput={(removal_percent) => set({ removal_percent })}
    />
    <Checkbox
      label={texts.adopt}
      hint={texts.adoptHint}
      checked={draft.adopt}
      onChange={(adopt) => set({ adopt })}
    />
    <Checkbox
      label={texts.signIn}
      hint={texts.signInHint}
      checked={draft.sign_in}
      onChange={(sign_in) => set({ sign_in })}
    />
  </>
);

interface DirectoryFormProps {
  stored: DirectoryDraft;
  keepsPassword: boolean;
  submit: string;
  /** Receives the draft and what it was when it was last saved. */
  save: (draft: DirectoryDraft, before: DirectoryDraft) => Promise<unknown>;
}

function DirectoryForm({ stored, keepsPassword, submit, save }: DirectoryFormProps) {
  const [before, setBefore] = useState(stored);
  const [draft, setDraft] = useState(stored);
  const set = (part: Partial<DirectoryDraft>): void => setDraft((now) => ({ ...now, ...part }));
  const send = async (): Promise<void> => {
    await save(draft, before);
    const saved = { ...draft, bind_password: '' };
    setBefore(saved);
    setDraft(saved);
  };
  return (
    <Form submit={submit} onSubmit={send}>
      <TextField
        label={texts.name}
        name="name"
        hint={texts.nameHint}
        value={draft.name}
        maxLength={128}
        autocomplete="off"
        onInput={(name) => set({ name })}
        {...(!keepsPassword && { autofocus: true })}
      />
      <ServerFields draft={draft} set={set} keepsPassword={keepsPassword} />
      <SearchFields draft={draft} set={set} />
      <ImportFields draft={draft} set={set} />
    </Form>
  );
}

export const DirectorySettingsForm = ({ directory }: { directory: Directory }) => (
  <DirectoryForm
    key={directory.id}
    stored={draftOf(directory)}
    keepsPassword
    submit={t.common.save}
    save={async (draft, before) => {
      await post('v1/team/directory/update', { id: directory.id, ...toChangedParams(before, draft) });
      showNotice(t.directories.saved);
    }}
  />
);

export const openNewDirectory = (): Promise<void> =>
  openDialog((close) => (
    <Dialog title={t.directories.createTitle} onClose={close} wide>
      <DirectoryForm
        stored={newDirectoryDraft}
        keepsPassword={false}
        submit={t.directories.create}
        save={async (draft) => {
          const { id } = await post('v1/team/directory/create', toCreateParams(draft));
          close();
          navigate(directoryHref(id));
          showNotice(t.directories.created);
        }}
      />
    </Dialog>
  ));
