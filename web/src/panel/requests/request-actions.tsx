/** What can be done with a request for access: approve, deny, withdraw, or end the access. */
import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { mayInTeam, signedInUser } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { confirmAction, Dialog, openDialog } from '../ui/dialog.tsx';
import { Form, TextField } from '../ui/forms/form.tsx';
import { attempt, showNotice } from '../ui/notices.ts';
import type { AccessRequest } from './request-data.ts';

const texts = t.requests;

const approve = ({ id }: AccessRequest): Promise<boolean> =>
  attempt(() => post('v1/team/access/request/approve', { id }), texts.approved);

function DenyDialog({ of: { id }, close }: { of: AccessRequest; close: () => void }) {
  const [reason, setReason] = useState('');
  const send = async (): Promise<void> => {
    await post('v1/team/access/request/deny', { id, reason });
    close();
    showNotice(texts.denied);
  };
  return (
    <Dialog title={texts.denyTitle} onClose={close}>
      <Form onSubmit={send} submit={texts.deny}>
        <TextField
          label={texts.denyReason}
          name="reason"
          hint={texts.denyHint}
          value={reason}
          maxLength={500}
          onInput={setReason}
          autocomplete="off"
          autofocus
        />
      </Form>
    </Dialog>
  );
}

const deny = (request: AccessRequest): Promise<void> =>
  openDialog((close) => <DenyDialog of={request} close={close} />);

async function end({ id }: AccessRequest): Promise<void> {
  if (await confirmAction({ title: texts.endTitle, text: texts.endText, yes: texts.end }))
    await attempt(() => post('v1/team/access/request/cancel', { id }), texts.ended);
}

const withdraw = ({ id }: AccessRequest): Promise<boolean> =>
  attempt(() => post('v1/team/access/request/cancel', { id }), texts.withdrawn);

export function RequestActions({ of: request }: { of: AccessRequest }) {
  const isOwn = request.email === signedInUser.value.email;
  const isDecider = mayInTeam('team_user_admin') && !isOwn;
  return (
    <span class="cell-end">
      {request.state === 'waiting' && isDecider && (
        <>
          <TextButton look="primary" onClick={() => void approve(request)}>
            {texts.approve}
          </TextButton>
          <TextButton onClick={() => void deny(request)}>{texts.deny}</TextButton>
        </>
      )}
      {request.state === 'waiting' && isOwn && (
        <TextButton onClick={() => void withdraw(request)}>{texts.withdraw}</TextButton>
      )}
      {request.state === 'approved' && <TextButton onClick={() => void end(request)}>{texts.end}</TextButton>}
    </span>
  );
}
