/** The dialog with all that a client needs, which tells by itself when they are here. */
import { get } from '../api.ts';
import { mayInSupport } from '../me.ts';
import { useResource } from '../resource.ts';
import { t } from '../texts/index.ts';
import { TextButton, LinkButton } from '../ui/button.tsx';
import { CopyButton, CopyLine } from '../ui/copy.tsx';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { LoopbackWarning } from '../ui/only-here.tsx';
import { Qr } from '../ui/qr.tsx';
import { connectTo } from './deeds.ts';
import {
  closed,
  codePageOf,
  joined,
  letterTo,
  mailTo,
  readableCode,
  toneOf,
  waiting,
  type Invitation,
} from './invitation.ts';
import { Naming } from './naming.tsx';

const { sharing: texts } = t.support;

const Status = ({ invitation }: { invitation: Invitation }) => {
  const { status } = invitation;
  const offered = status !== closed && mayInSupport('agent_connect');
  return (
    <div class={`sharing-status ${toneOf(invitation)}`}>
      <div>
        <p role="status">
          <strong>{texts.status[status]}</strong>
        </p>
        {offered && status === waiting && <p class="quiet">{texts.early}</p>}
      </div>
      {offered && (
        <TextButton
          icon="view"
          {...(status === joined && { look: 'primary' as const })}
          onClick={() => connectTo(invitation)}
        >
          {t.support.connect}
        </TextButton>
      )}
    </div>
  );
};

const Ways = ({ invitation }: { invitation: Invitation }) => {
  const { invite_code: code, invite_url: url } = invitation;
  return (
    <>
      <div class="sharing-ways">
        <div>
          <p>{texts.read(codePageOf(url))}</p>
          <div class="sharing-code">
            <strong class="code">{readableCode(code)}</strong>
            <CopyButton text={readableCode(code)} label={t.support.copyCode} />
          </div>
          <h3>{texts.link}</h3>
          <CopyLine text={url} label={texts.link} />
        </div>
        <Qr text={url} label={texts.qr} />
      </div>
      <h3>{texts.message}</h3>
      <div class="bar">
        <CopyButton text={letterTo(invitation)} label={texts.copyMessage} />
        <LinkButton href={mailTo(invitation)} icon="send">
          {texts.mail}
        </LinkButton>
      </div>
      <details class="sharing-message">
        <summary>{texts.showMessage}</summary>
        <p class="sharing-letter">{letterTo(invitation)}</p>
      </details>
    </>
  );
};

interface SharingProps {
  invitation: Invitation;
  /** It was made just now: then a name can be given. */
  isNew: boolean;
  close: () => void;
}

function Sharing({ invitation: given, isNew, close }: SharingProps) {
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
      {invitation.status !== closed && <LoopbackWarning />}
      {invitation.status !== closed && <Ways invitation={invitation} />}
      {isNew && invitation.status !== closed && (
        <Naming invitation={given} label={t.support.naming.optional} onDone={() => {}} />
      )}
    </Dialog>
  );
}

export const openSharing = (invitation: Invitation, isNew = false): void =>
  void openDialog((close) => <Sharing invitation={invitation} isNew={isNew} close={close} />);
