/** The notes about a device. */
import { useState } from 'preact/hooks';
import { get, post, type ApiRequestOptions } from '../../api.ts';
import { PanelApiError } from '../../panel-api-error.ts';
import { useResource } from '../../resource.ts';
import { t } from '../../texts/index.ts';
import { TextButton } from '../../ui/button.tsx';
import { Dialog, openDialog } from '../../ui/dialog.tsx';
import { Form, TextArea } from '../../ui/forms/form.tsx';
import { Section } from '../../ui/layout.tsx';
import { ResourceView } from '../../ui/states.tsx';
import type { Device } from '../device.ts';
import { may } from '../rights.ts';

const texts = t.device.notes;

const loadNotes = async (agent_id: number, options?: ApiRequestOptions): Promise<string> =>
  (await get('v1/agents/notes', { agent_id }, options)).data.notes;

/** Shows the notes that another user saved in the meantime. */
const ConflictNotice = ({ notes }: { notes: string }) => (
  <div class="form-problem theirs" role="alert">
    <p>{notes === '' ? texts.changedToNothing : texts.changed}</p>
    {notes !== '' && <p class="written">{notes}</p>}
    <p>{texts.changedHint}</p>
  </div>
);

function NotesDialog({ id, before, close }: { id: number; before: string; close: () => void }) {
  const [notes, setNotes] = useState(before);
  const [conflicting, setConflicting] = useState<string | undefined>();
  /** Overwrites only the version that the user has seen. */
  const send = async (): Promise<void> => {
    try {
      await post('v1/agents/notes/update', { agent_id: id, notes, before: conflicting ?? before });
      close();
    } catch (error) {
      if (!(error instanceof PanelApiError) || error.code !== 'changed_meanwhile') throw error;
      setConflicting(await loadNotes(id));
    }
  };
  return (
    <Dialog title={texts.edit} onClose={close} wide>
      <Form onSubmit={send} submit={t.common.save}>
        <TextArea
          label={texts.label}
          name="notes"
          value={notes}
          onInput={setNotes}
          rows={10}
          maxLength={10_000}
        />
        {conflicting !== undefined && <ConflictNotice notes={conflicting} />}
      </Form>
    </Dialog>
  );
}

export function DeviceNotes({ device }: { device: Device }) {
  const notes = useResource(`notes ${device.id}`, (options) => loadNotes(device.id, options), ['agents'], {
    isRelevant: (ids) => ids.includes(device.id),
  });
  const edit = (before: string): void =>
    void openDialog((close) => <NotesDialog id={device.id} before={before} close={close} />).then(() =>
      notes.reload(),
    );
  const written = notes.value.value;
  return (
    <Section
      title={texts.title}
      {...(written !== undefined &&
        may(device, 'agent_change_settings') && {
          actions: (
            <TextButton icon="edit" onClick={() => edit(written)}>
              {t.common.edit}
            </TextButton>
          ),
        })}
    >
      <ResourceView resource={notes}>
        {(text) => (text === '' ? <p class="quiet">{texts.none}</p> : <p class="written">{text}</p>)}
      </ResourceView>
    </Section>
  );
}
