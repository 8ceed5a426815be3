/** The menu of a device: all actions that the user may perform. */
import type { MenuItem, MenuPart } from '../../../ui/menu.ts';
import { navigate } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { Menu } from '../../ui/menu.tsx';
import { lockDevice, rebootDevice, toggleFavorite, unlinkDevice, wakeDevice } from './actions.tsx';
import { openDeviceSession } from '../open-session.ts';
import type { Device } from '../device.ts';
import { openMoveDialog } from '../groups/move.tsx';
import { openRenameDialog } from './rename.tsx';
import { may } from '../rights.ts';

const texts = t.devices;

const whenOnline = ({ online }: Device): { unable?: string } =>
  online ? {} : { unable: texts.unable.offline };
const whenOpen = (device: Device): { unable?: string } =>
  device.disabled ? { unable: texts.unable.blocked } : whenOnline(device);

const connectItems = (device: Device): MenuItem[] =>
  may(device, 'agent_connect')
    ? [
        {
          text: texts.connectRecorded,
          ...whenOpen(device),
          choose: () => openDeviceSession(device.id, true),
        },
        {
          text: texts.connectUnrecorded,
          ...whenOpen(device),
          choose: () => openDeviceSession(device.id, false),
        },
      ]
    : [];

function powerItems(device: Device): MenuItem[] {
  const items: MenuItem[] = [];
  if (may(device, 'agent_wake_on_lan') && !device.online)
    items.push({ text: texts.wake, choose: () => void wakeDevice(device) });
  if (may(device, 'agent_lock_screen'))
    items.push({ text: texts.lock, ...whenOnline(device), choose: () => void lockDevice(device) });
  if (may(device, 'agent_reboot'))
    items.push({ text: texts.reboot, ...whenOnline(device), choose: () => void rebootDevice(device, false) });
  // Only Windows has a safe mode.
  if (may(device, 'agent_reboot') && device.os === 'win')
    items.push({
      text: texts.rebootSafe,
      ...whenOnline(device),
      choose: () => void rebootDevice(device, true),
    });
  return items;
}

function recordItems(device: Device, onUnlinked?: () => void): MenuItem[] {
  const items: MenuItem[] = [
    {
      text: device.favorite ? texts.unfavorite : texts.favorite,
      choose: () => void toggleFavorite(device),
    },
  ];
  if (may(device, 'agent_change_settings'))
    items.push(
      { text: texts.rename, choose: () => void openRenameDialog(device) },
      { text: texts.move, choose: () => void openMoveDialog([device]) },
    );
  if (may(device, 'agent_logout'))
    items.push({
      text: texts.unlink,
      choose: () => void unlinkDevice(device).then((gone) => gone && onUnlinked?.()),
    });
  return items;
}

function menuPartsOf(device: Device, onUnlinked?: () => void): MenuPart[] {
  const details: MenuItem = { text: texts.details, choose: () => navigate(`/panel/devices/${device.id}`) };
  const first = onUnlinked ? connectItems(device) : [details, ...connectItems(device)];
  return [first, powerItems(device), recordItems(device, onUnlinked)]
    .filter((items) => items.length > 0)
    .map((items) => ({ items }));
}

/** The page of the device itself passes `onUnlinked`; the link to that page is then left out. */
export const DeviceMenu = ({ device, onUnlinked }: { device: Device; onUnlinked?: () => void }) => (
  <Menu icon="more" title={texts.more(device.name)} parts={() => menuPartsOf(device, onUnlinked)} />
);
