/** The dialog that attaches a file to a device and shows the upload progress. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { postFile } from '../../api.ts';
import { PanelApiError } from '../../panel-api-error.ts';
import { t } from '../../texts/index.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, TextField } from '../../ui/forms/form.tsx';

const texts = t.device.files;

/** Browsers report an empty or invalid media type for unknown files; then none is sent. */
const typeOf = (file: File): { type?: string } =>
  /^[\w.+-]{1,63}\/[\w.+-]{1,63}$/.test(file.type) ? { type: file.type } : {};

const UploadProgress = ({ progress }: { progress: number }) => (
  <div class="bar">
    <progress value={progress} max={1} aria-label={texts.progress} class="bulk-bar" />
    <span role="status">{texts.sending(progress)}</span>
  </div>
);

export function AttachDialog({ agentId, close }: { agentId: number; close: () => void }) {
  const inputRef = useRef<HTMLInputElement>(null);
  const [note, setNote] = useState('');
  const [progress, setProgress] = useState<number | undefined>();
  const controller = useMemo(() => new AbortController(), []);
  useEffect(() => () => controller.abort(), []);
  const send = async (): Promise<void> => {
    const file = inputRef.current?.files?.[0];
    if (!file) throw new PanelApiError('invalid_request', 400, { message: texts.chooseFirst, field: 'name' });
    setProgress(0);
    await postFile(
      'v1/agents/files/add',
      { agent_id: agentId, name: file.name, ...typeOf(file), note },
      file,
      { onProgress: setProgress, signal: controller.signal },
    ).finally(() => setProgress(undefined));
    close();
  };
  return (
    <Dialog title={texts.add} onClose={close}>
      <Form onSubmit={send} submit={texts.send}>
        <div class="labelled">
          <label for="attached-file">{texts.choose}</label>
          <input ref={inputRef} id="attached-file" type="file" class="field" />
        </div>
        <TextField
          label={texts.note}
          name="note"
          hint={texts.noteHint}
          value={note}
          onInput={setNote}
          maxLength={1_024}
        />
        {progress !== undefined && <UploadProgress progress={progress} />}
      </Form>
    </Dialog>
  );
}
