/** The bar above the device list that shows the number of devices, or the actions for the selected ones. */
import type { MenuItem } from '../../../ui/menu.ts';
import { post } from '../../api.ts';
import { t } from '../../texts/index.ts';
import { TextButton, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { setFavorite } from '../actions/actions.tsx';
import { runBulkAction, type BulkAction } from '../actions/bulk-dialog.tsx';
import { deviceCounts } from '../device-store.ts';
import { selected, selectShown, shownDevices } from './list-state.ts';
import { openMoveDialog } from '../groups/move.tsx';
import { may } from '../rights.ts';

const texts = t.devices;

type BulkSpec = Pick<BulkAction, 'needs' | 'act' | 'question'> & { title: (count: number) => string };

const bulkSpecs: Record<'wake' | 'lock' | 'reboot' | 'unlink', BulkSpec & { text: string }> = {
  wake: {
    text: texts.wake,
    title: texts.many.wake,
    needs: 'agent_wake_on_lan',
    act: ({ id }) => post('v1/agents/wake', { id }),
    question: { text: texts.many.wakeText, yes: texts.wake, look: 'primary' },
  },
  lock: {
    text: texts.lock,
    title: texts.many.lock,
    needs: 'agent_lock_screen',
    act: ({ id }) => post('v1/agents/lock', { id }),
    question: { text: texts.many.lockText, yes: texts.lock, look: 'primary' },
  },
  reboot: {
    text: texts.reboot,
    title: texts.many.reboot,
    needs: 'agent_reboot',
    act: ({ id }) => post('v1/agents/reboot', { id, safe: false }),
    question: { text: texts.many.rebootText, yes: texts.reboot },
  },
  unlink: {
    text: texts.unlink,
    title: texts.many.unlink,
    needs: 'agent_logout',
    act: ({ id }) => post('v1/agents/logout', { id }),
    question: { text: texts.many.unlinkText, yes: texts.unlink },
  },
};

const run = ({ title, ...action }: BulkSpec): void =>
  void runBulkAction({ ...action, title: title(selected.value.length), devices: selected.value });

const favoriteSpec = (favorite: boolean): BulkSpec => ({
  title: favorite ? texts.many.favorite : texts.many.unfavorite,
  act: ({ id }) => setFavorite(id, favorite),
});

/** Leaves out actions that the user may perform on none of the selected devices. */
const offeredItems = (): MenuItem[] =>
  Object.values(bulkSpecs)
    .filter(({ needs }) => selected.value.some((device) => may(device, needs!)))
    .map((spec) => ({ text: spec.text, choose: () => run(spec) }));

const mayMove = (): boolean => selected.value.some((device) => may(device, 'agent_change_settings'));

const SelectionActions = () => (
  <>
    {mayMove() && (
      <TextButton icon="files" onClick={() => void openMoveDialog(selected.value)}>
        {texts.move}
      </TextButton>
    )}
    <Menu
      icon="more"
      title={texts.actions}
      label={texts.actions}
      parts={() => [
        {
          items: [
            { text: texts.favorite, choose: () => run(favoriteSpec(true)) },
            { text: texts.unfavorite, choose: () => run(favoriteSpec(false)) },
          ],
        },
        { items: offeredItems() },
      ]}
    />
    <IconButton icon="end" title={texts.clearSelection} onClick={() => selectShown(false)} />
  </>
);

export function SelectionBar() {
  const count = selected.value.length;
  const isAll = count > 0 && count === shownDevices.value.length;
  return (
    <div class={count > 0 ? 'bar selection on' : 'bar selection'}>
      <label class="select-all">
        <input
          type="checkbox"
          class="select-box"
          aria-label={texts.selectAll}
          checked={isAll}
          indeterminate={count > 0 && !isAll}
          onChange={({ currentTarget }) => selectShown(currentTarget.checked)}
        />
        <span role="status">
          {count > 0
            ? texts.selected(count)
            : texts.shown(shownDevices.value.length, deviceCounts.value.all.all)}
        </span>
      </label>
      {count > 0 && <SelectionActions />}
    </div>
  );
}
