/** The dialog that sets up the authenticator app: scan the key, enter a first code, save the recovery codes. */
import { useState } from 'preact/hooks';
import { post, type OutputOf } from '../api.ts';
import { loadCurrentUser } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { CopyLine } from '../ui/copy.tsx';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { Form, TextField } from '../ui/forms/form.tsx';
import { Qr } from '../ui/qr.tsx';
import { openRecoveryCodes } from './recovery-codes.tsx';

const texts = t.profile.totp;
type TotpStart = OutputOf<'me/totp/begin'>;

export async function openTotpSetup(): Promise<void> {
  const begun = await post('me/totp/begin', {});
  let recovery: readonly string[] | undefined;
  await openDialog((close) => (
    <TotpSetupDialog
      begun={begun}
      close={close}
      onDone={(codes) => {
        recovery = codes;
        close();
      }}
    />
  ));
  if (!recovery) return;
  await openRecoveryCodes(recovery);
  await loadCurrentUser();
}

interface TotpSetupDialogProps {
  begun: TotpStart;
  close: () => void;
  onDone: (recovery: readonly string[]) => void;
}

function TotpSetupDialog({ begun, close, onDone }: TotpSetupDialogProps) {
  const [code, setCode] = useState('');
  const send = async (): Promise<void> =>
    onDone((await post('me/totp/confirm', { code: code.trim() })).recovery);
  return (
    <Dialog title={texts.beginTitle} onClose={close}>
      <p class="quiet">{texts.beginText}</p>
      <div class="set-up-qr">
        <Qr text={begun.url} label={texts.qr} />
      </div>
      <CopyLine text={begun.secret} label={texts.secret} />
      <Form onSubmit={send} submit={texts.confirm} disabled={code.trim() === ''}>
        <TextField
          label={texts.code}
          name="code"
          autocomplete="one-time-code"
          inputMode="numeric"
          maxLength={32}
          value={code}
          onInput={setCode}
          autofocus
        />
      </Form>
    </Dialog>
  );
}
