/** The second sign-in step: a code of the authenticator app, or a recovery code. */
import { useRef, useState } from 'preact/hooks';
import { post } from '../api.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { Form, TextField } from '../ui/forms/form.tsx';
import { SignInLayout } from './sign-in-layout.tsx';
import { refocus } from './refocus.ts';
import type { SignInResponse } from './sign-in-state.ts';

const texts = t.signIn.code;

interface CodeFormProps {
  step: string;
  onResponse: (signInResponse: SignInResponse) => void;
  onBack: () => void;
}

interface CodeFieldProps {
  isRecovery: boolean;
  value: string;
  onInput: (value: string) => void;
}

const CodeField = ({ isRecovery, value, onInput }: CodeFieldProps) => (
  <TextField
    label={isRecovery ? texts.recoveryField : texts.field}
    name="code"
    autocomplete={isRecovery ? 'off' : 'one-time-code'}
    inputMode={isRecovery ? 'text' : 'numeric'}
    maxLength={32}
    value={value}
    onInput={onInput}
    autofocus
  />
);

export function CodeForm({ step, onResponse, onBack }: CodeFormProps) {
  const [code, setCode] = useState('');
  const [isRecovery, setRecovery] = useState(false);
  const switchKind = (): void => {
    setCode('');
    setRecovery(!isRecovery);
  };
  const formRef = useRef<HTMLDivElement>(null);
  const send = async (): Promise<void> => {
    try {
      onResponse(await post('sign-in/code', { step, code: code.trim() }));
    } catch (error) {
      refocus(formRef.current, 'code');
      throw error;
    }
  };
  return (
    <SignInLayout title={texts.title} lead={isRecovery ? texts.recoveryLead : texts.lead}>
      <div ref={formRef}>
        <Form key={String(isRecovery)} onSubmit={send} submit={texts.submit} disabled={code.trim() === ''}>
          <CodeField isRecovery={isRecovery} value={code} onInput={setCode} />
        </Form>
      </div>
      <div class="entry-more">
        <TextButton look="plain" onClick={switchKind}>
          {isRecovery ? texts.useApp : texts.useRecovery}
        </TextButton>
        <TextButton look="plain" onClick={onBack}>
          {t.signIn.startOver}
        </TextButton>
      </div>
    </SignInLayout>
  );
}
