/** Components that the rows and tiles of the device list share. */
import { t } from '../../texts/index.ts';
import { TextButton, IconButton } from '../../ui/button.tsx';
import type { RowDrag } from '../../ui/tables/table-row.tsx';
import { toggleFavorite } from '../actions/actions.tsx';
import { openDeviceSession } from '../open-session.ts';
import type { Device } from '../device.ts';
import { DeviceMenu } from '../actions/device-menu.tsx';
import { startDrag } from '../groups/drag.ts';
import { isSelected, selectDevice, selected } from './list-state.ts';
import { may } from '../rights.ts';

const texts = t.devices;

export const SelectBox = ({ device }: { device: Device }) => (
  <input
    type="checkbox"
    class="select-box"
    aria-label={texts.select(device.name)}
    checked={isSelected(device.id)}
    onClick={(event) => selectDevice(device, event.currentTarget.checked, event.shiftKey)}
  />
);

export const Star = ({ device }: { device: Device }) => (
  <IconButton
    icon="star"
    title={texts.star(device.name)}
    pressed={device.favorite}
    onClick={() => void toggleFavorite(device)}
  />
);

/** Shown only to users who may connect; disabled while the device is offline or blocked. */
export const ConnectButton = ({ device, look }: { device: Device; look?: 'primary' }) =>
  may(device, 'agent_connect') ? (
    <TextButton
      {...(look && { look })}
      disabled={!device.online || device.disabled}
      title={
        device.disabled
          ? texts.unable.blocked
          : device.online
            ? texts.connectTo(device.name)
            : texts.unable.offline
      }
      onClick={() => openDeviceSession(device.id)}
    >
      {texts.connect}
    </TextButton>
  ) : null;

export const DeviceActions = ({ device }: { device: Device }) => (
  <span class="cell-end">
    <Star device={device} />
    <ConnectButton device={device} />
    <DeviceMenu device={device} />
  </span>
);

/** Lets users drag devices into groups. Dragging a selected device drags the whole selection. */
export const dragDevice: RowDrag<Device> = {
  isOffered: (device) => may(device, 'agent_change_settings'),
  start(device, event) {
    const ids = isSelected(device.id) ? selected.value.map(({ id }) => id) : [device.id];
    startDrag(event, 'devices', ids);
  },
};
