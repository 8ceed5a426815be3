/** The way in: by a link where the address has one, else by whatever shows who somebody is. */
import { useState } from 'preact/hooks';
import { loadCurrentUser, currentUser, currentUserError } from '../me.ts';
import { matchPath, path } from '../router.ts';
import { t } from '../texts/index.ts';
import { Loading, ErrorState } from '../ui/states.tsx';
import { AccountChoice } from './account-choice.tsx';
import { Code } from './code.tsx';
import { Credentials } from './credentials.tsx';
import { Forgot } from './forgot.tsx';
import { LinkEntry } from './link-entry.tsx';
import { stageAfter, type Progress, type Stage } from './stage.ts';

export function SignIn() {
  const invited = matchPath('/invite/:token', path.value)?.['token'];
  const linked = matchPath('/sign-in/:token', path.value)?.['token'];
  const token = invited ?? linked;
  if (token === undefined) return <Ways />;
  return <LinkEntry key={token} token={token} isInvitation={invited !== undefined} />;
}

/** The page that was asked for appears by itself once it is known who is signed in. */
function Ways() {
  const [stage, setStage] = useState<Stage>({ at: 'start' });
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<string>();
  const start = (): void => setStage({ at: 'start' });
  const enter = async (): Promise<void> => {
    await loadCurrentUser();
    if (currentUser.value !== null) return;
    setProblem(t.signIn.cookies);
    start();
  };
  const take = (progress: Progress): void => {
    const next = stageAfter(progress);
    setProblem(undefined);
    setStage(next);
    if (next.at === 'done') void enter();
  };
  switch (stage.at) {
    case 'start':
      return (
        <Credentials
          email={email}
          setEmail={setEmail}
          onProgress={take}
          onForgot={() => setStage({ at: 'forgot' })}
          problem={problem}
        />
      );
    case 'forgot':
      return <Forgot email={email} setEmail={setEmail} onBack={start} />;
    case 'code':
      return <Code step={stage.step} onProgress={take} onBack={start} />;
    case 'account':
      return <AccountChoice {...stage} onProgress={take} onBack={start} />;
    case 'done':
      return currentUserError.value === undefined ? (
        <Loading text={t.signIn.working} />
      ) : (
        <ErrorState error={currentUserError.value} onRetry={() => void enter()} />
      );
  }
}
