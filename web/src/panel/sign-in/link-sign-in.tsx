/**
 * Signs in with a one-time link. A button uses the link, not the page load, because programs such as scanners open
 * links.
 */
import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { loadCurrentUser, currentUser } from '../current-user.ts';
import { PanelApiError, toErrorMessage } from '../panel-api-error.ts';
import { navigate } from '../router.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { CopyLine } from '../ui/copy.tsx';
import { CodeForm } from './code.tsx';
import { SignInLayout } from './sign-in-layout.tsx';
import { signInLinkCommand } from './sign-in-link-command.ts';
import { NewPassword } from './new-password.tsx';
import { nextSignInState, type SignInResponse, type SignInState } from './sign-in-state.ts';

const texts = t.signIn.link;

interface LinkSignInProps {
  token: string;
  isInvitation: boolean;
}

/** The state after the link; `renew` for users who have a password and may have forgotten it. */
type LinkState = Extract<SignInState, { at: 'start' | 'code' }> | { at: 'dead' } | { at: 'renew' };

const leave = (): void => navigate('/panel', { replace: true });

export function LinkSignIn({ token, isInvitation }: LinkSignInProps) {
  const [state, setState] = useState<LinkState>({ at: 'start' });
  const handleResponse = async (signInResponse: SignInResponse): Promise<void> => {
    const next = nextSignInState(signInResponse);
    if (next.at === 'code') return setState(next);
    await loadCurrentUser();
    if (currentUser.value?.has_password && !currentUser.value.password_from_directory)
      setState({ at: 'renew' });
    else leave();
  };
  const use = async (): Promise<void> => {
    try {
      await handleResponse(await post('sign-in/link', { token }));
    } catch (error) {
      if (!isInvalidLink(error)) throw error;
      setState({ at: 'dead' });
    }
  };
  switch (state.at) {
    case 'start':
      return <LinkPrompt isInvitation={isInvitation} use={use} />;
    case 'code':
      return <CodeForm step={state.step} onResponse={(next) => void handleResponse(next)} onBack={leave} />;
    case 'renew':
      return <RenewPassword />;
    case 'dead':
      return <InvalidLink isInvitation={isInvitation} />;
  }
}

/** Used, expired, unknown and malformed links are treated alike. */
const isInvalidLink = (error: unknown): boolean =>
  error instanceof PanelApiError && ['not_signed_in', 'invalid_request', 'not_found'].includes(error.code);

function LinkPrompt({ isInvitation, use }: { isInvitation: boolean; use: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const press = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    await use().catch(setProblem);
    setBusy(false);
  };
  const title = isInvitation ? texts.inviteTitle : texts.signInTitle;
  return (
    <SignInLayout title={title} lead={isInvitation ? texts.inviteLead : texts.signInLead}>
      {currentUser.value && <p class="quiet">{texts.already(currentUser.value.email)}</p>}
      {problem !== undefined && (
        <p class="form-problem" role="alert">
          {toErrorMessage(problem)}
        </p>
      )}
      <TextButton look="primary" busy={busy} onClick={() => void press()}>
        {isInvitation ? texts.join : texts.signIn}
      </TextButton>
    </SignInLayout>
  );
}

const InvalidLink = ({ isInvitation }: { isInvitation: boolean }) => (
  <SignInLayout title={texts.deadTitle} lead={texts.dead}>
    <p>{isInvitation ? texts.deadInvite : texts.deadSignIn}</p>
    {!isInvitation && <CopyLine text={signInLinkCommand('')} label={t.signIn.forgot.commandLabel} />}
    <TextButton look="primary" onClick={() => navigate('/sign-in', { replace: true })}>
      {texts.toSignIn}
    </TextButton>
  </SignInLayout>
);

const RenewPassword = () => (
  <SignInLayout title={t.signIn.renew.title} lead={t.signIn.renew.lead}>
    <NewPassword email={currentUser.value?.email ?? ''} onSet={leave} />
    <TextButton look="plain" onClick={leave}>
      {t.signIn.renew.keep}
    </TextButton>
  </SignInLayout>
);
