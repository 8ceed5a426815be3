/** The sign-in step that chooses an account when e-mail address and password match several. */
import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { toErrorMessage } from '../panel-api-error.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { SignInLayout } from './sign-in-layout.tsx';
import type { SignInResponse, SignInState } from './sign-in-state.ts';

const texts = t.signIn.account;

interface AccountChoiceProps extends Pick<Extract<SignInState, { at: 'account' }>, 'step' | 'accounts'> {
  onResponse: (signInResponse: SignInResponse) => void;
  onBack: () => void;
}

export function AccountChoice({ step, accounts, onResponse, onBack }: AccountChoiceProps) {
  const [chosen, setChosen] = useState<number>();
  const [problem, setProblem] = useState<unknown>();
  const choose = async (account_id: number): Promise<void> => {
    setChosen(account_id);
    setProblem(undefined);
    try {
      onResponse(await post('sign-in/account', { step, account_id }));
    } catch (error) {
      setProblem(error);
      setChosen(undefined);
    }
  };
  return (
    <SignInLayout title={texts.title} lead={texts.lead}>
      <ul class="entry-choices">
        {accounts.map(({ account_id, owner }) => (
          <li key={account_id}>
            <TextButton
              busy={chosen === account_id}
              disabled={chosen !== undefined}
              onClick={() => void choose(account_id)}
            >
              {texts.of(owner)}
            </TextButton>
          </li>
        ))}
      </ul>
      {problem !== undefined && (
        <p class="form-problem" role="alert">
          {toErrorMessage(problem)}
        </p>
      )}
      <TextButton look="plain" onClick={onBack}>
        {t.signIn.startOver}
      </TextButton>
    </SignInLayout>
  );
}
