/** Applies one action to many devices: asks for confirmation, shows progress, and lists the failures. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { AgentPermission } from '@drawbridge/contract/permissions';
import { signedInUser } from '../../current-user.ts';
import { PanelApiError, toErrorMessage } from '../../panel-api-error.ts';
import { t } from '../../texts/index.ts';
import { TextButton } from '../../ui/button.tsx';
import { confirmAction, Dialog, openDialog } from '../../ui/dialog.tsx';
import { showNotice } from '../../ui/notices.ts';
import { runForEach, type BulkProgress } from './bulk.ts';
import type { Device } from '../device.ts';
import { may } from '../rights.ts';

const texts = t.devices.many;

export interface BulkAction {
  title: string;
  devices: readonly Device[];
  /** Devices on which the user lacks this permission fail without a request. */
  needs?: AgentPermission;
  act: (device: Device) => Promise<unknown>;
  /** The confirmation; absent for harmless actions. */
  question?: { text: string; yes: string; look?: 'primary' | 'danger' };
}

export async function runBulkAction(action: BulkAction): Promise<void> {
  const { title, question, devices } = action;
  if (devices.length === 0 || (question && !(await confirmAction({ title, ...question })))) return;
  await openDialog((close) => <BulkDialog action={action} close={close} />);
}

const withPermissionCheck =
  ({ needs, act }: BulkAction) =>
  async (device: Device): Promise<void> => {
    if (needs !== undefined && !may(device, needs))
      throw new PanelApiError('forbidden', 403, { message: t.devices.noRight(signedInUser.value.account) });
    await act(device);
  };

function BulkDialog({ action, close }: { action: BulkAction; close: () => void }) {
  const { devices, title } = action;
  const [progress, setProgress] = useState<BulkProgress<Device>>({
    done: 0,
    total: devices.length,
    refused: [],
  });
  const [isOver, setOver] = useState(false);
  const stop = useMemo(() => new AbortController(), []);
  const finish = (end: BulkProgress<Device>): void => {
    setOver(true);
    if (end.refused.length > 0) return;
    close();
    showNotice(texts.done(end.done, end.total));
  };
  useEffect(() => {
    void runForEach(devices, withPermissionCheck(action), {
      onProgress: setProgress,
      signal: stop.signal,
    }).then(finish);
    return () => stop.abort();
  }, []);
  const { done, total, refused } = progress;
  return (
    <Dialog title={title} onClose={close}>
      <progress value={done} max={total} aria-label={title} class="bulk-bar" />
      <p role="status">{isOver ? texts.done(done - refused.length, total) : texts.progress(done, total)}</p>
      {refused.length > 0 && <RefusedList refused={refused} />}
      <div class="row">
        <TextButton onClick={isOver ? close : () => stop.abort()}>
          {isOver ? t.common.close : texts.stop}
        </TextButton>
      </div>
    </Dialog>
  );
}

const RefusedList = ({ refused }: Pick<BulkProgress<Device>, 'refused'>) => (
  <div>
    <p>{texts.refused(refused.length)}</p>
    <ul class="refused" tabIndex={0} aria-label={texts.refused(refused.length)}>
      {refused.map(({ item, error }) => (
        <li key={item.id}>
          <strong>{item.name}</strong> {toErrorMessage(error)}
        </li>
      ))}
    </ul>
  </div>
);
