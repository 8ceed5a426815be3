/** Signs in with an identity provider, by its sign-in name or by a link that contains it. */
import { useState } from 'preact/hooks';
import { fieldError, toErrorMessage } from '../panel-api-error.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { Form, TextField } from '../ui/forms/form.tsx';
import { SignInLayout } from './sign-in-layout.tsx';
import { lastSignInName, leaveToSignIn } from './sso.ts';

const texts = t.sso.signIn;

const here = (): string => location.pathname;

/** A link of the account: one button, because programs such as scanners open links. */
export function SsoLink({ name, onBack }: { name: string; onBack: () => void }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const press = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    await leaveToSignIn(name, '').catch((error: unknown) => {
      setProblem(error);
      setBusy(false);
    });
  };
  return (
    <SignInLayout title={texts.title} lead={texts.linkLead}>
      {problem !== undefined && (
        <p class="form-problem" role="alert">
          {toErrorMessage(problem)}
        </p>
      )}
      <TextButton look="primary" busy={busy} onClick={() => void press()}>
        {texts.submit}
      </TextButton>
      <TextButton look="plain" onClick={onBack}>
        {texts.back}
      </TextButton>
    </SignInLayout>
  );
}

export function SsoNameForm({ onBack }: { onBack: () => void }) {
  const [name, setName] = useState(lastSignInName());
  const send = async (): Promise<void> => {
    if (name.trim() === '') throw fieldError('name', texts.missing);
    await leaveToSignIn(name.trim(), here());
  };
  return (
    <SignInLayout title={texts.title} lead={texts.lead}>
      <Form onSubmit={send} submit={texts.submit}>
        <TextField
          label={texts.name}
          name="name"
          hint={texts.nameHint}
          autocomplete="organization"
          maxLength={32}
          value={name}
          onInput={setName}
          required
          autofocus
        />
      </Form>
      <TextButton look="plain" onClick={onBack}>
        {texts.back}
      </TextButton>
    </SignInLayout>
  );
}
