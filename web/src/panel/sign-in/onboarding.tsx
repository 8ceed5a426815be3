/** The page for users who signed in with a link and have neither a password nor a passkey yet. */
import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { clearCurrentUser, loadCurrentUser, signedInUser } from '../current-user.ts';
import { describeBrowser } from '../profile/describe-browser.ts';
import { toErrorMessage } from '../panel-api-error.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { attempt } from '../ui/notices.ts';
import { SignInLayout } from './sign-in-layout.tsx';
import { beginFirstSteps } from './first-steps.ts';
import { NewPassword } from './new-password.tsx';
import { browserHasPasskeys, createPasskey } from './passkey.ts';

const texts = t.signIn.onboarding;

const finish = (): void => {
  if (signedInUser.value.owner) beginFirstSteps(signedInUser.value.id);
  void loadCurrentUser();
};

export const Onboarding = () => {
  const { email, passkeys_work } = signedInUser.value;
  return (
    <SignInLayout title={texts.title} lead={texts.lead(email)}>
      {passkeys_work && browserHasPasskeys() && (
        <>
          <CreatePasskey />
          <p class="entry-or">
            <span>{t.signIn.or}</span>
          </p>
        </>
      )}
      <h2>{texts.passwordTitle}</h2>
      <NewPassword email={email} onSet={finish} />
      <TextButton look="plain" onClick={() => void signOut()}>
        {texts.signOut}
      </TextButton>
    </SignInLayout>
  );
};

const signOut = (): Promise<boolean> =>
  attempt(async () => {
    await post('sign-out', {});
    clearCurrentUser();
  });

function CreatePasskey() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const press = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    await createPasskey(describeBrowser(navigator.userAgent)).then(finish, setProblem);
    setBusy(false);
  };
  return (
    <>
      <h2>{texts.passkeyTitle}</h2>
      <p class="quiet">{t.signIn.passkeys.what}</p>
      <TextButton look="primary" icon="key" busy={busy} onClick={() => void press()}>
        {texts.makePasskey}
      </TextButton>
      {problem !== undefined && (
        <p class="form-problem" role="alert">
          {toErrorMessage(problem)}
        </p>
      )}
    </>
  );
}
