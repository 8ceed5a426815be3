/** The card of one open invitation: status, code, creator and actions. */
import type { MenuItem } from '../../ui/menu.ts';
import { mayInSupport } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { Badge } from '../ui/layout.tsx';
import { Menu } from '../ui/menu.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { ClientScreen } from './client-screen.tsx';
import { closeInvitation, openSupportSession } from './invitation-actions.ts';
import { joinedStatus, formatInviteCode, toneOf, type SupportInvitation } from './invitation.ts';
import { openClientNameDialog } from './client-name-form.tsx';
import { openShareDialog } from './share-dialog.tsx';

const { support: texts } = t;

const itemsFor = (invitation: SupportInvitation): MenuItem[] => [
  ...(mayInSupport('agent_connect')
    ? [{ text: texts.connectRecorded, choose: () => openSupportSession(invitation, true) }]
    : []),
  { text: texts.rename, choose: () => openClientNameDialog(invitation) },
  { text: texts.close, choose: () => void closeInvitation(invitation) },
];

interface CardProps {
  invitation: SupportInvitation;
  /** By whom it was created, as text; undefined if unknown. */
  creator: string | undefined;
}

function InvitationDetails({ invitation, creator }: CardProps) {
  const system = texts.systems[invitation.client_os];
  return (
    <p class="quiet">
      {system !== '' && `${system} · `}
      {texts.created} <RelativeTime time={invitation.create_time} /> {creator}
    </p>
  );
}

export function InvitationCard({ invitation, creator }: CardProps) {
  const { status, client_name, invite_code } = invitation;
  const code = formatInviteCode(invite_code);
  return (
    <li class="invitation">
      <ClientScreen invitation={invitation} />
      <div class="invitation-body">
        <div class="bar">
          <Badge tone={toneOf(invitation)}>{texts.statuses[status]}</Badge>
          <span class="spread" />
          <Menu icon="more" title={texts.moreOf(code)} parts={() => [{ items: itemsFor(invitation) }]} />
        </div>
        <h3>
          {client_name !== '' && <span class="client-name">{client_name}</span>}
          <span class="code">{code}</span>
        </h3>
        <InvitationDetails invitation={invitation} creator={creator} />
        <div class="invitation-actions">
          {mayInSupport('agent_connect') && (
            <TextButton
              icon="view"
              {...(status === joinedStatus && { look: 'primary' as const })}
              onClick={() => openSupportSession(invitation)}
            >
              {texts.connect}
            </TextButton>
          )}
          <TextButton icon="qr" onClick={() => openShareDialog(invitation)}>
            {texts.share}
          </TextButton>
        </div>
      </div>
    </li>
  );
}
