/** Actions on a past connection: edit its note, remove its recording. */
import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { t } from '../texts/index.ts';
import { confirmAction, Dialog, openDialog } from '../ui/dialog.tsx';
import { Form, TextArea } from '../ui/forms/form.tsx';
import { attempt, showNotice } from '../ui/notices.ts';
import type { HistoryConnection } from './connection.ts';

const { noteDialog: texts, removing } = t.history;

/** The server's limit. */
const maxNoteLength = 1_024;

interface NoteProps {
  connection: HistoryConnection;
  onDone: () => Promise<void>;
  close: () => void;
}

function NoteDialog({ connection, onDone, close }: NoteProps) {
  const [note, setNote] = useState(connection.note ?? '');
  const send = async (): Promise<void> => {
    await post('v1/sessions/note', { id: connection.id, note });
    close();
    showNotice(t.common.saved);
    await onDone();
  };
  return (
    <Dialog title={texts.title} onClose={close}>
      <Form onSubmit={send} submit={t.common.save}>
        <TextArea
          label={texts.label}
          name="note"
          hint={texts.hint}
          value={note}
          onInput={setNote}
          rows={6}
          maxLength={maxNoteLength}
        />
      </Form>
    </Dialog>
  );
}

export const editNote = (connection: HistoryConnection, onDone: () => Promise<void>): void =>
  void openDialog((close) => <NoteDialog connection={connection} onDone={onDone} close={close} />);

export const readNote = (note: string): void =>
  void openDialog((close) => (
    <Dialog title={texts.title} onClose={close}>
      <p class="whole-note">{note}</p>
    </Dialog>
  ));

export async function removeVideo({ id }: HistoryConnection, onDone: () => Promise<void>): Promise<void> {
  const { title, text, yes, done } = removing;
  if (!(await confirmAction({ title, text, yes }))) return;
  if (await attempt(() => post('v1/history/video/remove', { id }), done)) await onDone();
}
