/** The dialog in which users confirm their identity for operations that require it. */
import { useState } from 'preact/hooks';
import { post, setCsrf, whenConfirmationIsNeeded } from './api.ts';
import { loadCurrentUser, signedInUser } from './current-user.ts';
import { answerChallenge } from './sign-in/passkey.ts';
import { confirmAtProvider } from './sign-in/sso.ts';
import { t } from './texts/index.ts';
import { TextButton } from './ui/button.tsx';
import { Dialog, openDialog } from './ui/dialog.tsx';
import { Form, TextField } from './ui/forms/form.tsx';
import { showError, showNotice } from './ui/notices.ts';

const { confirm: texts } = t.common;

async function confirmWithPasskey(): Promise<void> {
  const challenge = await post('me/confirm/passkey/begin', {});
  const response = await answerChallenge(challenge);
  setCsrf((await post('me/confirm/passkey', { step: challenge.step, response })).csrf);
}

/** A button for each identity provider with which the user signs in. */
function ProviderButtons({ onConfirmed }: { onConfirmed: () => void }) {
  const [isWaiting, setWaiting] = useState(false);
  const press = async (id: number): Promise<void> => {
    setWaiting(true);
    if (await confirmAtProvider(id)) {
      await loadCurrentUser(true);
      onConfirmed();
    } else showNotice(t.sso.confirm.blocked);
    setWaiting(false);
  };
  return (
    <>
      {signedInUser.value.sso.map(({ id, name }) => (
        <TextButton key={id} icon="key" onClick={() => void press(id).catch(showError)}>
          {t.sso.confirm.with(name)}
        </TextButton>
      ))}
      {isWaiting && (
        <p class="quiet" role="status">
          {t.sso.confirm.waiting}
        </p>
      )}
    </>
  );
}

function ConfirmDialog({ onConfirmed, close }: { onConfirmed: () => void; close: () => void }) {
  const [password, setPassword] = useState('');
  const { has_password, passkeys, sso } = signedInUser.value;
  const confirmed = (): void => {
    onConfirmed();
    close();
  };
  const send = async (): Promise<void> => {
    setCsrf((await post('me/confirm', { password })).csrf);
    confirmed();
  };
  const passkey = passkeys > 0 && (
    <TextButton icon="key" onClick={() => void confirmWithPasskey().then(confirmed, showError)}>
      {texts.passkey}
    </TextButton>
  );
  return (
    <Dialog title={texts.title} onClose={close}>
      <p>{has_password || passkeys > 0 || sso.length > 0 ? texts.text : texts.nothing}</p>
      {has_password ? (
        <Form onSubmit={send} submit={texts.confirm} beside={passkey}>
          <TextField
            label={texts.password}
            name="password"
            type="password"
            autocomplete="current-password"
            value={password}
            onInput={setPassword}
            autofocus
          />
        </Form>
      ) : (
        passkey
      )}
      <ProviderButtons onConfirmed={confirmed} />
    </Dialog>
  );
}

export function setUpConfirmation(): void {
  whenConfirmationIsNeeded(async () => {
    let confirmed = false;
    await openDialog((close) => <ConfirmDialog close={close} onConfirmed={() => (confirmed = true)} />);
    if (confirmed) void loadCurrentUser(true);
    return confirmed;
  });
}
