/** The dialog that shows new recovery codes once, to copy, download or print. */
import { saveFile } from '../../ui/save-file.ts';
import { signedInUser } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Dialog, openDialog } from '../ui/dialog.tsx';

const texts = t.profile.recovery;

/** Resolves when the dialog is closed. */
export const openRecoveryCodes = (codes: readonly string[]): Promise<void> =>
  openDialog((close) => <RecoveryCodes codes={codes} close={close} />);

function RecoveryCodes({ codes, close }: { codes: readonly string[]; close: () => void }) {
  const heading = texts.heading(signedInUser.value.email, signedInUser.value.public_url);
  const text = `${heading}\n\n${codes.join('\n')}\n`;
  return (
    <Dialog title={texts.title} onClose={close} isSticky>
      <p class="unprinted">{texts.shownOnce}</p>
      <p class="printed">{heading}</p>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="row unprinted">
        <CopyButton text={text} label={texts.copy} />
        <TextButton icon="download" onClick={() => download(text)}>
          {texts.download}
        </TextButton>
        <TextButton icon="file" onClick={() => print()}>
          {texts.print}
        </TextButton>
        <TextButton look="primary" onClick={close}>
          {texts.done}
        </TextButton>
      </div>
    </Dialog>
  );
}

const download = (text: string): void => saveFile(new Blob([text], { type: 'text/plain' }), texts.file);
