/** The dialog that creates a link for choosing a new password, for people who forgot theirs or lost their phone. */
import { useState } from 'preact/hooks';
import { post, type OutputOf } from '../../api.ts';
import { t } from '../../texts/index.ts';
import { Dialog, openDialog } from '../../ui/dialog.tsx';
import { Checkbox, Form } from '../../ui/forms/form.tsx';
import { OneTimeLink } from '../one-time-link.tsx';

const texts = t.team.reset;

function ResetDialog({ email, close }: { email: string; close: () => void }) {
  const [factors, setFactors] = useState(false);
  const [made, setMade] = useState<OutputOf<'member/reset'>>();
  if (made)
    return (
      <Dialog title={texts.doneTitle} onClose={close}>
        <OneTimeLink
          says={made.mailed ? texts.mailed(email) : texts.link(email)}
          label={texts.label}
          url={made.url}
          done={t.common.close}
          close={close}
        />
      </Dialog>
    );
  return (
    <Dialog title={texts.title} onClose={close}>
      <p>{texts.text(email)}</p>
      <Form
        submit={texts.submit}
        onSubmit={async () => setMade(await post('member/reset', { email, factors }))}
      >
        <Checkbox label={texts.factors} hint={texts.factorsHint} checked={factors} onChange={setFactors} />
      </Form>
    </Dialog>
  );
}

export const openResetDialog = (email: string): Promise<void> =>
  openDialog((close) => <ResetDialog email={email} close={close} />);
