/** The page at which the browser returns from an identity provider: completes what it was sent away for. */
import { useEffect, useState } from 'preact/hooks';
import { post, setCsrf } from '../api.ts';
import { currentUser, loadCurrentUser } from '../current-user.ts';
import { toErrorMessage } from '../panel-api-error.ts';
import { navigate, query } from '../router.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { showNotice } from '../ui/notices.ts';
import { Loading } from '../ui/states.tsx';
import { CodeForm } from './code.tsx';
import { SignInLayout } from './sign-in-layout.tsx';
import { announceConfirmation, purposeOf, takeReturnPath, type SsoPurpose } from './sso.ts';
import { nextSignInState, type SignInResponse } from './sign-in-state.ts';

const texts = t.sso.signIn;

type ReturnState =
  | { at: 'working' }
  | { at: 'code'; step: string }
  | { at: 'confirmed' }
  | { at: 'failed'; error: unknown };

async function enter(): Promise<void> {
  await loadCurrentUser();
  navigate(currentUser.value ? takeReturnPath() : '/sign-in', { replace: true });
}

const afterSignIn = async (signInResponse: SignInResponse): Promise<ReturnState> => {
  const next = nextSignInState(signInResponse);
  if (next.at === 'code') return next;
  await enter();
  return { at: 'working' };
};

interface Returned {
  name: string;
  response: string;
}

const complete: Record<SsoPurpose, (returned: Returned) => Promise<ReturnState>> = {
  sso: async (returned) => afterSignIn(await post('sign-in/sso', returned)),
  async sso_link(returned) {
    await post('me/sso/connect', returned);
    await loadCurrentUser();
    navigate('/panel/profile', { replace: true });
    showNotice(t.sso.profile.done);
    return { at: 'working' };
  },
  async sso_confirm(returned) {
    setCsrf((await post('me/confirm/sso', returned)).csrf);
    announceConfirmation();
    window.close();
    return { at: 'confirmed' };
  },
};

/** `name`: the sign-in name of the provider to whose address the browser returned. */
export function SsoReturn({ name }: { name: string }) {
  const [response] = useState(() => query.value.toString());
  const [state, setState] = useState<ReturnState>({ at: 'working' });
  const purpose = purposeOf(response);
  useEffect(() => {
    // The code in the address is a secret until it is used: it does not stay in the history.
    history.replaceState(null, '', location.pathname);
    complete[purpose]({ name, response }).then(setState, (error: unknown) =>
      setState({ at: 'failed', error }),
    );
  }, []);
  switch (state.at) {
    case 'working':
      return <Loading text={texts.working} />;
    case 'code':
      return (
        <CodeForm
          step={state.step}
          onResponse={(next) => void afterSignIn(next).then(setState)}
          onBack={() => navigate('/sign-in', { replace: true })}
        />
      );
    case 'confirmed':
      return (
        <SignInLayout title={texts.confirmedTitle} lead={texts.confirmed}>
          {null}
        </SignInLayout>
      );
    case 'failed':
      return <Failed purpose={purpose} error={state.error} />;
  }
}

const failedTitles: Record<SsoPurpose, string> = {
  sso: texts.failedTitle,
  sso_link: texts.connectFailedTitle,
  sso_confirm: texts.confirmFailedTitle,
};

const Failed = ({ purpose, error }: { purpose: SsoPurpose; error: unknown }) => (
  <SignInLayout title={failedTitles[purpose]}>
    <p class="form-problem" role="alert">
      {toErrorMessage(error)}
    </p>
    {purpose === 'sso' && (
      <TextButton look="primary" onClick={() => navigate('/sign-in', { replace: true })}>
        {texts.back}
      </TextButton>
    )}
    {purpose === 'sso_link' && (
      <TextButton look="primary" onClick={() => navigate('/panel/profile', { replace: true })}>
        {texts.toProfile}
      </TextButton>
    )}
  </SignInLayout>
);
