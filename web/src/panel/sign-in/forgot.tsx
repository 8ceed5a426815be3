/**
 * The page for a forgotten password: sends an e-mail with a link, or says whom to ask if the server sends no e-mail.
 */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { CopyLine } from '../ui/copy.tsx';
import { Form, TextField } from '../ui/forms/form.tsx';
import { SignInLayout } from './sign-in-layout.tsx';
import { signInLinkCommand } from './sign-in-link-command.ts';
import { signInOptions } from './options.ts';

const texts = t.signIn.forgot;

interface ForgotPasswordProps {
  email: string;
  setEmail: (email: string) => void;
  onBack: () => void;
}

export function ForgotPassword({ email, setEmail, onBack }: ForgotPasswordProps) {
  const [sentTo, setSentTo] = useState<string>();
  const back = (
    <TextButton look="plain" onClick={onBack}>
      {t.signIn.back}
    </TextButton>
  );
  if (!signInOptions.value.mail) return <NoMailHint email={email}>{back}</NoMailHint>;
  if (sentTo !== undefined)
    return (
      <SignInLayout title={texts.sentTitle} lead={texts.sent(sentTo)}>
        {back}
      </SignInLayout>
    );
  const send = async (): Promise<void> => {
    await post('sign-in/forgot', { email });
    setSentTo(email.trim());
  };
  return (
    <SignInLayout title={texts.title} lead={texts.lead}>
      <Form onSubmit={send} submit={texts.submit} disabled={email.trim() === ''}>
        <TextField
          label={t.signIn.email}
          name="email"
          type="email"
          autocomplete="username"
          value={email}
          onInput={setEmail}
          required
          autofocus
        />
      </Form>
      {back}
    </SignInLayout>
  );
}

const NoMailHint = ({ email, children }: { email: string; children: ComponentChildren }) => (
  <SignInLayout title={texts.title} lead={texts.noMail}>
    <p class="quiet">{texts.noMailOwner}</p>
    <CopyLine text={signInLinkCommand(email)} label={texts.commandLabel} />
    {children}
  </SignInLayout>
);
