/** The form for a new password; shows which rules are still unmet while the user types. */
import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { t } from '../texts/index.ts';
import { Checkbox, Form, TextField } from '../ui/forms/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { isGoodPassword, isMet, isTooLong, passwordRules } from './password-rule.ts';

const texts = t.signIn.newPassword;

interface NewPasswordProps {
  /** The user name under which password managers save the password. */
  email: string;
  onSet: () => void;
}

export function NewPassword({ email, onSet }: NewPasswordProps) {
  const [password, setPassword] = useState('');
  const [shown, setShown] = useState(false);
  const send = async (): Promise<void> => {
    await post('me/password', { password });
    onSet();
  };
  return (
    <Form onSubmit={send} submit={texts.submit} disabled={!isGoodPassword(password)}>
      <input
        class="unseen"
        type="text"
        name="email"
        autocomplete="username"
        value={email}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <TextField
        label={texts.field}
        name="password"
        type={shown ? 'text' : 'password'}
        autocomplete="new-password"
        value={password}
        onInput={setPassword}
        required
        autofocus
      />
      <Rules password={password} />
      <Checkbox label={texts.show} checked={shown} onChange={setShown} />
    </Form>
  );
}

const Rules = ({ password }: { password: string }) => (
  <div class="rules" aria-live="polite">
    <span class="hint">{texts.rulesLabel}</span>
    <ul>
      {passwordRules.map((rule) => (
        <Rule key={rule} text={texts.rules[rule]} met={isMet(rule, password)} />
      ))}
      {isTooLong(password) && <Rule text={texts.tooLong} met={false} />}
    </ul>
  </div>
);

const Rule = ({ text, met }: { text: string; met: boolean }) => (
  <li class={met ? 'met' : undefined}>
    <Icon name={met ? 'check' : 'dot'} />
    {text} <span class="unseen">{met ? texts.met : texts.unmet}</span>
  </li>
);
