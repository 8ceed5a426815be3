/** A one-use link: it is used when the button is pressed, not when the page is opened, for programs open links too. */
import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { loadCurrentUser, currentUser } from '../me.ts';
import { PanelApiError, toErrorMessage } from '../refusal.ts';
import { navigate } from '../router.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { CopyLine } from '../ui/copy.tsx';
import { Code } from './code.tsx';
import { Entry } from './entry.tsx';
import { linkCommand } from './locked-out.ts';
import { NewPassword } from './new-password.tsx';
import { stageAfter, type Progress, type Stage } from './stage.ts';

const texts = t.signIn.link;

interface LinkProps {
  token: string;
  isInvitation: boolean;
}

/** Where the link led to; `renew` for somebody who has a password, and perhaps forgot it. */
type LinkStage = Extract<Stage, { at: 'start' | 'code' }> | { at: 'dead' } | { at: 'renew' };

const leave = (): void => navigate('/panel', { replace: true });

export function LinkEntry({ token, isInvitation }: LinkProps) {
  const [stage, setStage] = useState<LinkStage>({ at: 'start' });
  const take = async (progress: Progress): Promise<void> => {
    const next = stageAfter(progress);
    if (next.at === 'code') return setStage(next);
    await loadCurrentUser();
    if (currentUser.value?.has_password) setStage({ at: 'renew' });
    else leave();
  };
  const use = async (): Promise<void> => {
    try {
      await take(await post('sign-in/link', { token }));
    } catch (error) {
      if (!isDead(error)) throw error;
      setStage({ at: 'dead' });
    }
  };
  switch (stage.at) {
    case 'start':
      return <Unused isInvitation={isInvitation} use={use} />;
    case 'code':
      return <Code step={stage.step} onProgress={(next) => void take(next)} onBack={leave} />;
    case 'renew':
      return <Renew />;
    case 'dead':
      return <Dead isInvitation={isInvitation} />;
  }
}

/** Used, expired, unknown and malformed are all one. */
const isDead = (error: unknown): boolean =>
  error instanceof PanelApiError && ['not_signed_in', 'invalid_request', 'not_found'].includes(error.code);

function Unused({ isInvitation, use }: { isInvitation: boolean; use: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const press = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    await use().catch(setProblem);
    setBusy(false);
  };
  const title = isInvitation ? texts.inviteTitle : texts.signInTitle;
  return (
    <Entry title={title} lead={isInvitation ? texts.inviteLead : texts.signInLead}>
      {currentUser.value && <p class="quiet">{texts.already(currentUser.value.email)}</p>}
      {problem !== undefined && (
        <p class="form-problem" role="alert">
          {toErrorMessage(problem)}
        </p>
      )}
      <TextButton look="primary" busy={busy} onClick={() => void press()}>
        {isInvitation ? texts.join : texts.signIn}
      </TextButton>
    </Entry>
  );
}

const Dead = ({ isInvitation }: { isInvitation: boolean }) => (
  <Entry title={texts.deadTitle} lead={texts.dead}>
    <p>{isInvitation ? texts.deadInvite : texts.deadSignIn}</p>
    {!isInvitation && <CopyLine text={linkCommand('')} label={t.signIn.forgot.commandLabel} />}
    <TextButton look="primary" onClick={() => navigate('/sign-in', { replace: true })}>
      {texts.toSignIn}
    </TextButton>
  </Entry>
);

const Renew = () => (
  <Entry title={t.signIn.renew.title} lead={t.signIn.renew.lead}>
    <NewPassword email={currentUser.value?.email ?? ''} onSet={leave} />
    <TextButton look="plain" onClick={leave}>
      {t.signIn.renew.keep}
    </TextButton>
  </Entry>
);
