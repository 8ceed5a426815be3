/** The dialog with everything the client needs to join; it shows when they have joined. */
import { get } from '../api.ts';
import { mayInSupport } from '../current-user.ts';
import { useResource } from '../resource.ts';
import { t } from '../texts/index.ts';
import { TextButton, LinkButton } from '../ui/button.tsx';
import { CopyButton, CopyLine } from '../ui/copy.tsx';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { LoopbackWarning } from '../ui/loopback-warning.tsx';
import { Qr } from '../ui/qr.tsx';
import { openSupportSession } from './invitation-actions.ts';
import {
  closedStatus,
  toCodePageUrl,
  joinedStatus,
  invitationMessage,
  toMailtoUrl,
  formatInviteCode,
  toneOf,
  waitingStatus,
  type SupportInvitation,
} from './invitation.ts';
import { ClientNameForm } from './client-name-form.tsx';

const { sharing: texts } = t.support;

const Status = ({ invitation }: { invitation: SupportInvitation }) => {
  const { status } = invitation;
  const offered = status !== closedStatus && mayInSupport('agent_connect');
  return (
    <div class={`sharing-status ${toneOf(invitation)}`}>
      <div>
        <p role="status">
          <strong>{texts.status[status]}</strong>
        </p>
        {offered && status === waitingStatus && <p class="quiet">{texts.early}</p>}
      </div>
      {offered && (
        <TextButton
          icon="view"
          {...(status === joinedStatus && { look: 'primary' as const })}
          onClick={() => openSupportSession(invitation)}
        >
          {t.support.connect}
        </TextButton>
      )}
    </div>
  );
};

const ShareOptions = ({ invitation }: { invitation: SupportInvitation }) => {
  const { invite_code: code, invite_url: url } = invitation;
  return (
    <>
      <div class="sharing-options">
        <div>
          <p>{texts.read(toCodePageUrl(url))}</p>
          <div class="sharing-code">
            <strong class="code">{formatInviteCode(code)}</strong>
            <CopyButton text={formatInviteCode(code)} label={t.support.copyCode} />
          </div>
          <h3>{texts.link}</h3>
          <CopyLine text={url} label={texts.link} />
        </div>
        <Qr text={url} label={texts.qr} />
      </div>
      <h3>{texts.message}</h3>
      <div class="bar">
        <CopyButton text={invitationMessage(invitation)} label={texts.copyMessage} />
        <LinkButton href={toMailtoUrl(invitation)} icon="send">
          {texts.mail}
        </LinkButton>
      </div>
      <details class="sharing-message">
        <summary>{texts.showMessage}</summary>
        <p class="sharing-letter">{invitationMessage(invitation)}</p>
      </details>
    </>
  );
};

interface ShareDialogProps {
  invitation: SupportInvitation;
  /** Whether the invitation was just created; then the dialog offers to enter a name. */
  isNew: boolean;
  close: () => void;
}

function ShareDialog({ invitation: given, isNew, close }: ShareDialogProps) {
  const { id } = given;
  const { value } = useResource(
    `invitation ${id}`,
    async (options) => (await get('v1/support/info', { connection_id: id }, options)).data,
    ['support'],
  );
  const invitation = value.value ?? given;
  return (
    <Dialog title={texts.title} onClose={close} wide>
      <Status invitation={invitation} />
      {invitation.status !== closedStatus && <LoopbackWarning />}
      {invitation.status !== closedStatus && <ShareOptions invitation={invitation} />}
      {isNew && invitation.status !== closedStatus && (
        <ClientNameForm invitation={given} label={t.support.naming.optional} onDone={() => {}} />
      )}
    </Dialog>
  );
}

export const openShareDialog = (invitation: SupportInvitation, isNew = false): void =>
  void openDialog((close) => <ShareDialog invitation={invitation} isNew={isNew} close={close} />);
