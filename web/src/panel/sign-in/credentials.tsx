/** The first sign-in step: e-mail address and password, or a passkey. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { post } from '../api.ts';
import { fieldError, PanelApiError, toErrorMessage } from '../panel-api-error.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { Form, TextField } from '../ui/forms/form.tsx';
import { SignInLayout } from './sign-in-layout.tsx';
import { signInOptions } from './options.ts';
import { browserHasPasskeys, offerPasskeys, signInWithPasskey } from './passkey.ts';
import { refocus } from './refocus.ts';
import type { SignInResponse } from './sign-in-state.ts';

const texts = t.signIn;

interface CredentialsFormProps {
  email: string;
  setEmail: (email: string) => void;
  onResponse: (signInResponse: SignInResponse) => void;
  onForgot: () => void;
  onSso: () => void;
  /** Why the user was sent back to this step. */
  problem?: string | undefined;
}

export function CredentialsForm(props: CredentialsFormProps) {
  const { email, setEmail, onResponse, onForgot, onSso, problem } = props;
  const passkeys = signInOptions.value.passkeys && browserHasPasskeys();
  return (
    <SignInLayout title={texts.title}>
      {problem !== undefined && (
        <p class="form-problem" role="alert">
          {problem}
        </p>
      )}
      <PasswordForm email={email} setEmail={setEmail} onResponse={onResponse} />
      {passkeys && <PasskeyButton onResponse={onResponse} />}
      <TextButton look="plain" onClick={onSso}>
        {t.sso.signIn.open}
      </TextButton>
      <TextButton look="plain" onClick={onForgot}>
        {texts.forgotLink}
      </TextButton>
      <p class="entry-code">
        {texts.client.text} <a href="/i">{texts.client.link}</a>
      </p>
    </SignInLayout>
  );
}

type PasswordFormProps = Pick<CredentialsFormProps, 'email' | 'setEmail' | 'onResponse'>;

async function sendPassword(email: string, password: string): Promise<SignInResponse> {
  if (email.trim() === '') throw fieldError('email', texts.emailMissing);
  if (password === '') throw fieldError('password', texts.passwordMissing);
  return post('sign-in/password', { email, password });
}

const isEmailProblem = (error: unknown): boolean => error instanceof PanelApiError && error.field === 'email';

/** The submit button is always enabled: some browsers reveal autofilled values only after a click. */
function PasswordForm({ email, setEmail, onResponse }: PasswordFormProps) {
  const [password, setPassword] = useState('');
  const formRef = useRef<HTMLDivElement>(null);
  const send = async (): Promise<void> => {
    try {
      onResponse(await sendPassword(email, password));
    } catch (error) {
      refocus(formRef.current, isEmailProblem(error) ? 'email' : 'password');
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

/** Passkeys are offered twice: by this button, and by the browser's autofill. */
function PasskeyButton({ onResponse }: Pick<CredentialsFormProps, 'onResponse'>) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const stop = useRef((): void => {});
  const offer = (): void => void (stop.current = offerPasskeys(onResponse));
  useEffect(() => {
    offer();
    return () => stop.current();
  }, []);
  const press = async (): Promise<void> => {
    stop.current();
    setBusy(true);
    setProblem(undefined);
    try {
      onResponse(await signInWithPasskey());
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
