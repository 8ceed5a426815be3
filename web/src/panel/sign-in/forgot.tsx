/** For whoever forgot the password: a letter with a link, or the word whom to ask. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { CopyLine } from '../ui/copy.tsx';
import { Form, TextField } from '../ui/form.tsx';
import { Entry } from './entry.tsx';
import { linkCommand } from './locked-out.ts';
import { options } from './options.ts';

const texts = t.signIn.forgot;

interface ForgotProps {
  email: string;
  setEmail: (email: string) => void;
  onBack: () => void;
}

export function Forgot({ email, setEmail, onBack }: ForgotProps) {
  const [sentTo, setSentTo] = useState<string>();
  const back = (
    <TextButton look="plain" onClick={onBack}>
      {t.signIn.back}
    </TextButton>
  );
  if (!options.value.mail) return <NoMail email={email}>{back}</NoMail>;
  if (sentTo !== undefined)
    return (
      <Entry title={texts.sentTitle} lead={texts.sent(sentTo)}>
        {back}
      </Entry>
    );
  const send = async (): Promise<void> => {
    await post('sign-in/forgot', { email });
    setSentTo(email.trim());
  };
  return (
    <Entry title={texts.title} lead={texts.lead}>
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
    </Entry>
  );
}

const NoMail = ({ email, children }: { email: string; children: ComponentChildren }) => (
  <Entry title={texts.title} lead={texts.noMail}>
    <p class="quiet">{texts.noMailOwner}</p>
    <CopyLine text={linkCommand(email)} label={texts.commandLabel} />
    {children}
  </Entry>
);
