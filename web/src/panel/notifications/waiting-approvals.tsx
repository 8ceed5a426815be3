/** Sessions that wait for a second person, as entries above the notifications. The panel shows the command and never signs. */
import type { OutputOf } from '../api.ts';
import { permissionShortText, sortPermissions } from '../team/access/permission-texts.ts';
import { t } from '../texts/index.ts';
import { CopyLine } from '../ui/copy.tsx';
import { Icon } from '../ui/icon.tsx';
import { AbsoluteTime } from '../ui/time.tsx';
import { approvalTitle, type WaitingApproval } from './notification-store.ts';

const texts = t.notifications.approvals;

const ApprovalItem = ({ item }: { item: WaitingApproval }) => (
  <li class="notification unread approval">
    <Icon name="key" />
    <div class="approval-text">
      <a href={`/panel/devices/${item.agent_id}`}>{approvalTitle(item)}</a>
      <p class="quiet">
        {texts.until} <AbsoluteTime time={item.until} />
        {item.reason !== '' && (
          <>
            {` · ${texts.reason}: `}
            <span dir="auto">{item.reason}</span>
          </>
        )}
        {item.record && ` · ${texts.recorded}`}
      </p>
      <p class="quiet">
        {texts.may}: {sortPermissions(item.permissions, 'agent').map(permissionShortText).join(', ')}
      </p>
      <p>{texts.command}</p>
      <CopyLine text={`drawbridge approve ${item.agent_id}`} label={texts.commandLabel(item.device)} />
    </div>
  </li>
);

export const WaitingApprovals = ({ total, data }: OutputOf<'notifications'>['approvals']) => (
  <ul class="notifications framed" aria-label={texts.label}>
    {data.map((item) => (
      <ApprovalItem key={item.id} item={item} />
    ))}
    {total > data.length && (
      <li class="notification">
        <Icon name="key" />
        {texts.more(total - data.length)}
      </li>
    )}
  </ul>
);
