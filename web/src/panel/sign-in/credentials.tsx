/** The start of signing in: address and password, or a passkey. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { post } from '../api.ts';
import { fieldError, PanelApiError, toErrorMessage } from '../refusal.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { Form, TextField } from '../ui/form.tsx';
import { Entry } from './entry.tsx';
import { options } from './options.ts';
import { browserHasPasskeys, offerPasskeys, signInWithPasskey } from './passkey.ts';
import { refocus } from './refocus.ts';
import type { Progress } from './stage.ts';

const texts = t.signIn;

interface CredentialsProps {
  email: string;
  setEmail: (email: string) => void;
  onProgress: (progress: Progress) => void;
  onForgot: () => void;
  /** Why one is back here. */
  problem?: string | undefined;
}

export function Credentials({ email, setEmail, onProgress, onForgot, problem }: CredentialsProps) {
  const passkeys = options.value.passkeys && browserHasPasskeys();
  return (
    <Entry title={texts.title}>
      {problem !== undefined && (
        <p class="form-problem" role="alert">
          {problem}
        </p>
      )}
      <PasswordForm email={email} setEmail={setEmail} onProgress={onProgress} />
      {passkeys && <ByPasskey onProgress={onProgress} />}
      <TextButton look="plain" onClick={onForgot}>
        {texts.forgotLink}
      </TextButton>
    </Entry>
  );
}

/** The button can always be pressed: browsers that fill in the form tell the page of it only then. */
function PasswordForm({
  email,
  setEmail,
  onProgress,
}: Pick<CredentialsProps, 'email' | 'setEmail' | 'onProgress'>) {
  const [password, setPassword] = useState('');
  const formRef = useRef<HTMLDivElement>(null);
  const send = async (): Promise<void> => {
    try {
      if (email.trim() === '') throw fieldError('email', texts.emailMissing);
      if (password === '') throw fieldError('password', texts.passwordMissing);
      onProgress(await post('sign-in/password', { email, password }));
    } catch (error) {
      refocus(
        formRef.current,
        error instanceof PanelApiError && error.field === 'email' ? 'email' : 'password',
      );
      throw error;
    }
  };
  return (
    <div ref={formRef}>
      <Form onSubmit={send} submit={texts.submit}>
        <TextField
          label={texts.email}
          name="email"
          type="email"
          autocomplete="username webauthn"
          value={email}
          onInput={setEmail}
          required
          autofocus
        />
        <TextField
          label={texts.password}
          name="password"
          type="password"
          autocomplete="current-password webauthn"
          value={password}
          onInput={setPassword}
          required
        />
      </Form>
    </div>
  );
}

/** Offered in two places: by a button, and by the browser where it fills in the address. */
function ByPasskey({ onProgress }: Pick<CredentialsProps, 'onProgress'>) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const stop = useRef((): void => {});
  const offer = (): void => void (stop.current = offerPasskeys(onProgress));
  useEffect(() => {
    offer();
    return () => stop.current();
  }, []);
  const press = async (): Promise<void> => {
    stop.current();
    setBusy(true);
    setProblem(undefined);
    try {
      onProgress(await signInWithPasskey());
    } catch (error) {
      setProblem(error);
      offer();
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <p class="entry-or">
        <span>{texts.or}</span>
      </p>
      <TextButton icon="key" busy={busy} onClick={() => void press()}>
        {texts.passkey}
      </TextButton>
      {problem !== undefined && (
        <p class="form-problem" role="alert">
          {toErrorMessage(problem)}
        </p>
      )}
    </>
  );
}
