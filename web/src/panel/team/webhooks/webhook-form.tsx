/** The dialogs that add a webhook, show its secret once, renew it, and change the settings. */
import { webhookEvents, type WebhookEvent } from '@drawbridge/contract/choices';
import { useState } from 'preact/hooks';
import { post } from '../../api.ts';
import { fieldError } from '../../panel-api-error.ts';
import { t } from '../../texts/index.ts';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Dialog, openDialog } from '../../ui/dialog.tsx';
import { Checkbox, Form, TextArea, TextField } from '../../ui/forms/form.tsx';
import type { Webhook } from './webhook-data.ts';

const texts = t.webhooks;

interface Draft {
  name: string;
  url: string;
  ca_cert: string;
  events: readonly WebhookEvent[];
  enabled: boolean;
}

const emptyDraft: Draft = { name: '', url: '', ca_cert: '', events: webhookEvents, enabled: true };

const toDraft = ({ name, url, ca_cert, events, enabled }: Webhook): Draft => ({
  name,
  url,
  ca_cert,
  events: webhookEvents.filter((event) => events.includes(event)),
  enabled,
});

interface FieldsProps {
  draft: Draft;
  set: (changed: Partial<Draft>) => void;
}

const AddressFields = ({ draft, set }: FieldsProps) => (
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
    <TextField
      label={texts.url}
      name="url"
      hint={texts.urlHint}
      placeholder="https://"
      autocomplete="off"
      value={draft.url}
      onInput={(url) => set({ url })}
      maxLength={500}
      required
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

const EventFields = ({ draft, set }: FieldsProps) => (
  <fieldset class="choice">
    <legend>{texts.events}</legend>
    {webhookEvents.map((event) => (
      <Checkbox
        key={event}
        label={texts.eventNames[event]}
        checked={draft.events.includes(event)}
        onChange={(isWanted) =>
          set({
            events: webhookEvents.filter((each) => (each === event ? isWanted : draft.events.includes(each))),
          })
        }
      />
    ))}
  </fieldset>
);

interface WebhookFormProps {
  begin: Draft;
  submit: string;
  save: (draft: Draft) => Promise<void>;
}

function WebhookForm({ begin, submit, save }: WebhookFormProps) {
  const [draft, setDraft] = useState(begin);
  const set = (changed: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changed }));
  const send = async (): Promise<void> => {
    if (draft.events.length === 0) throw fieldError('events', texts.noEvents);
    await save(draft);
  };
  return (
    <Form onSubmit={send} submit={submit}>
      <AddressFields draft={draft} set={set} />
      <EventFields draft={draft} set={set} />
      <Checkbox
        label={texts.enabled}
        hint={texts.enabledHint}
        checked={draft.enabled}
        onChange={(enabled) => set({ enabled })}
      />
    </Form>
  );
}

function AddWebhook({ close }: { close: () => void }) {
  const [secret, setSecret] = useState<string>();
  const create = async ({ events, ...draft }: Draft): Promise<void> =>
    setSecret((await post('v1/team/webhook/create', { ...draft, events: [...events] })).secret);
  return (
    <Dialog title={secret === undefined ? texts.add : texts.madeTitle} onClose={close} isSticky>
      {secret === undefined ? (
        <WebhookForm begin={emptyDraft} submit={t.common.add} save={create} />
      ) : (
        <ShownOnce text={texts.madeText} secret={secret} label={texts.secret} close={close} />
      )}
    </Dialog>
  );
}

function EditWebhook({ of, close }: { of: Webhook; close: () => void }) {
  const update = async ({ events, ...draft }: Draft): Promise<void> => {
    await post('v1/team/webhook/update', { id: of.id, ...draft, events: [...events] });
    close();
  };
  return (
    <Dialog title={texts.editTitle(of.name)} onClose={close} isSticky>
      <WebhookForm begin={toDraft(of)} submit={t.common.save} save={update} />
    </Dialog>
  );
}

function RenewSecret({ of, close }: { of: Webhook; close: () => void }) {
  const [secret, setSecret] = useState<string>();
  const renew = async (): Promise<void> =>
    setSecret((await post('v1/team/webhook/renew', { id: of.id })).secret);
  return (
    <Dialog
      title={secret === undefined ? texts.renewTitle(of.name) : texts.renewedTitle}
      onClose={close}
      isSticky
    >
      {secret === undefined ? (
        <Form onSubmit={renew} submit={texts.renew}>
          <p>{texts.renewText}</p>
        </Form>
      ) : (
        <ShownOnce text={texts.madeText} secret={secret} label={texts.secret} close={close} />
      )}
    </Dialog>
  );
}

export const openNewWebhook = (): Promise<void> => openDialog((close) => <AddWebhook close={close} />);

export const editWebhook = (webhook: Webhook): Promise<void> =>
  openDialog((close) => <EditWebhook of={webhook} close={close} />);

export const renewWebhookSecret = (webhook: Webhook): Promise<void> =>
  openDialog((close) => <RenewSecret of={webhook} close={close} />);
