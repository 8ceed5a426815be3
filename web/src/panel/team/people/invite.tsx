/** The dialog that invites a person: asks for their e-mail address, then shows the one-time link. */
import { useState } from 'preact/hooks';
import { post } from '../../api.ts';
import { t } from '../../texts/index.ts';
import { Dialog, openDialog } from '../../ui/dialog.tsx';
import { Form, TextField } from '../../ui/forms/form.tsx';
import { OneTimeLink } from '../one-time-link.tsx';
import { personHref } from './person-href.ts';

const texts = t.team.invite;

interface Invited {
  email: string;
  /** Absent if the person has permissions that the user lacks: then it was sent only to the person. */
  url: string | undefined;
  /** Absent if the server does not send e-mail. */
  mailed?: boolean | undefined;
}

const invite = async (email: string): Promise<Invited> => {
  const { url, mailed } = await post('v1/team/member/invite', { email });
  return { email, url, mailed };
};

function inviteText({ email, url, mailed }: Invited): string {
  if (url === undefined) return mailed ? texts.sentToThem(email) : texts.notSentToThem(email);
  if (mailed === undefined) return texts.link(email);
  return mailed ? texts.mailed(email) : `${texts.notMailed} ${texts.link(email)}`;
}

const InviteResult = ({ invited, close }: { invited: Invited; close: () => void }) => (
  <Dialog title={texts.doneTitle} onClose={close}>
    <OneTimeLink
      says={inviteText(invited)}
      label={texts.label}
      url={invited.url}
      done={texts.done}
      close={close}
    >
      {invited.url !== undefined && (
        <p class="quiet">
          {texts.next} <a href={personHref(invited.email)}>{texts.toPerson}</a>
        </p>
      )}
    </OneTimeLink>
  </Dialog>
);

function InviteForm({ onInvited, close }: { onInvited: (invited: Invited) => void; close: () => void }) {
  const [email, setEmail] = useState('');
  return (
    <Dialog title={texts.title} onClose={close}>
      <p>{texts.text}</p>
      <Form submit={texts.submit} onSubmit={async () => onInvited(await invite(email.trim()))}>
        <TextField
          label={texts.email}
          name="email"
          type="email"
          autocomplete="off"
          value={email}
          onInput={setEmail}
          autofocus
        />
      </Form>
    </Dialog>
  );
}

function InviteDialog({ close }: { close: () => void }) {
  const [invited, setInvited] = useState<Invited>();
  return invited ? (
    <InviteResult invited={invited} close={close} />
  ) : (
    <InviteForm onInvited={setInvited} close={close} />
  );
}

export const openInviteDialog = (): Promise<void> => openDialog((close) => <InviteDialog close={close} />);

/** Creates a new link for a person who lost the first one; the old link stops working. */
export async function resendInvite(email: string): Promise<void> {
  const invited = await invite(email);
  await openDialog((close) => <InviteResult invited={invited} close={close} />);
}
