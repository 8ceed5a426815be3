/** New devices that wait for approval: a banner above the list, and a dialog to approve or reject them. */
import { get, post, type OutputOf } from '../../api.ts';
import { useResource } from '../../resource.ts';
import { type Resource } from '../../resource-types.ts';
import { t } from '../../texts/index.ts';
import { TextButton } from '../../ui/button.tsx';
import { confirmAction, Dialog, openDialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { attempt } from '../../ui/notices.ts';
import { ResourceView } from '../../ui/states.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { readableId } from '../device.ts';
import { osName } from '../os.ts';

const texts = t.devicesMore.pending;

type Pending = OutputOf<'v1/agents/pending'>['data'];
type PendingDevice = Pending[number];

/** The maximum number listed at once; further devices follow as these are approved or rejected. */
export const maxPendingShown = 50;

export const usePending = (): Resource<Pending> =>
  useResource('pending', async (options) => (await get('v1/agents/pending', {}, options)).data, ['account']);

export const approveDevice = ({ id, name }: Pick<PendingDevice, 'id' | 'name'>): Promise<boolean> =>
  attempt(() => post('v1/agents/approve', { id }), texts.approved(name));

async function rejectDevice({ id, name }: PendingDevice): Promise<void> {
  const question = { title: texts.refuseTitle(name), text: texts.refuseText, yes: texts.refuse };
  if (await confirmAction(question))
    await attempt(() => post('v1/agents/logout', { id }), texts.refused(name));
}

function PendingDialog({ close }: { close: () => void }) {
  const pending = usePending();
  const then = (done: Promise<unknown>): void => void done.then(() => pending.reload());
  return (
    <Dialog title={texts.dialogTitle} onClose={close} wide>
      <ResourceView resource={pending}>
        {(devices) =>
          devices.length === 0 ? (
            <p class="quiet">{texts.none}</p>
          ) : (
            <ul class="waiting">
              {devices.slice(0, maxPendingShown).map((device) => (
                <li key={device.id}>
                  <span class="two-lines">
                    <strong>{device.name}</strong>
                    <span class="quiet">
                      {[readableId(device.device_id), osName(device.os), device.ip]
                        .filter(Boolean)
                        .join(' · ')}
                      {' · '}
                      {texts.added} <RelativeTime time={device.link_time} />
                    </span>
                  </span>
                  <span class="cell-end">
                    <TextButton onClick={() => then(rejectDevice(device))}>{texts.refuse}</TextButton>
                    <TextButton look="primary" onClick={() => then(approveDevice(device))}>
                      {texts.approve}
                    </TextButton>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </ResourceView>
    </Dialog>
  );
}

export function PendingBanner() {
  const pending = usePending();
  const count = pending.value.value?.length ?? 0;
  if (count === 0) return null;
  return (
    <div class="banner" role="status">
      <Icon name="safe" />
      <span>
        <strong>{texts.title(count)}.</strong> {texts.text}
      </span>
      <TextButton
        onClick={() =>
          void openDialog((close) => <PendingDialog close={close} />).then(() => pending.reload())
        }
      >
        {texts.look}
      </TextButton>
    </div>
  );
}
