/** The sign-in page: by a link if the address contains one, else step by step. */
import { useState } from 'preact/hooks';
import { loadCurrentUser, currentUser, currentUserError } from '../current-user.ts';
import { matchPath, navigate, path } from '../router.ts';
import { t } from '../texts/index.ts';
import { Loading, ErrorState } from '../ui/states.tsx';
import { AccountChoice } from './account-choice.tsx';
import { CodeForm } from './code.tsx';
import { CredentialsForm } from './credentials.tsx';
import { ForgotPassword } from './forgot.tsx';
import { SsoLink, SsoNameForm } from './sso-sign-in.tsx';
import { LinkSignIn } from './link-sign-in.tsx';
import { nextSignInState, type SignInResponse, type SignInState } from './sign-in-state.ts';

export function SignInPage() {
  const invited = matchPath('/invite/:token', path.value)?.['token'];
  const linked = matchPath('/sign-in/:token', path.value)?.['token'];
  const token = invited ?? linked;
  const provider = matchPath('/panel/sso/:name', path.value)?.['name'];
  if (provider !== undefined)
    return <SsoLink name={provider} onBack={() => navigate('/sign-in', { replace: true })} />;
  if (token === undefined) return <SignInFlow />;
  return <LinkSignIn key={token} token={token} isInvitation={invited !== undefined} />;
}

/** Once the user is signed in, the app shows the requested page by itself. */
function SignInFlow() {
  const { state, setState, problem, start, enter, handleResponse } = useSignIn();
  const [email, setEmail] = useState('');
  switch (state.at) {
    case 'start':
      return (
        <CredentialsForm
          email={email}
          setEmail={setEmail}
          onResponse={handleResponse}
          onForgot={() => setState({ at: 'forgot' })}
          onSso={() => setState({ at: 'sso' })}
          problem={problem}
        />
      );
    case 'forgot':
      return <ForgotPassword email={email} setEmail={setEmail} onBack={start} />;
    case 'sso':
      return <SsoNameForm onBack={start} />;
    case 'code':
      return <CodeForm step={state.step} onResponse={handleResponse} onBack={start} />;
    case 'account':
      return <AccountChoice {...state} onResponse={handleResponse} onBack={start} />;
    case 'done':
      return currentUserError.value === undefined ? (
        <Loading text={t.signIn.working} />
      ) : (
        <ErrorState error={currentUserError.value} onRetry={() => void enter()} />
      );
  }
}

/** The state of the flow and its transitions; `problem` says why the user is back at the start. */
function useSignIn() {
  const [state, setState] = useState<SignInState>({ at: 'start' });
  const [problem, setProblem] = useState<string>();
  const start = (): void => setState({ at: 'start' });
  const enter = async (): Promise<void> => {
    await loadCurrentUser();
    if (currentUser.value !== null) return;
    setProblem(t.signIn.cookies);
    start();
  };
  const handleResponse = (signInResponse: SignInResponse): void => {
    const next = nextSignInState(signInResponse);
    setProblem(undefined);
    setState(next);
    if (next.at === 'done') void enter();
  };
  return { state, setState, problem, start, enter, handleResponse };
}
