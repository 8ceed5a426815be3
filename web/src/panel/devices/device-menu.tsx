/** The menu of a device: all that can be done with it by whoever looks. */
import type { MenuItem, MenuPart } from '../../ui/menu.ts';
import { navigate } from '../router.ts';
import { t } from '../texts/index.ts';
import { Menu } from '../ui/menu.tsx';
import { lock, reboot, toggleFavorite, unlink, wake } from './actions.tsx';
import { connect } from './connect.ts';
import type { Device } from './device.ts';
import { openMove } from './move.tsx';
import { openRename } from './rename.tsx';
import { may } from './rights.ts';

const texts = t.devices;

const whenOnline = ({ online }: Device): { unable?: string } =>
  online ? {} : { unable: texts.unable.offline };
const whenOpen = (device: Device): { unable?: string } =>
  device.disabled ? { unable: texts.unable.blocked } : whenOnline(device);

const connecting = (device: Device): MenuItem[] =>
  may(device, 'agent_connect')
    ? [
        { text: texts.connectRecorded, ...whenOpen(device), choose: () => connect(device.id, true) },
        { text: texts.connectUnrecorded, ...whenOpen(device), choose: () => connect(device.id, false) },
      ]
    : [];

function machine(device: Device): MenuItem[] {
  const items: MenuItem[] = [];
  if (may(device, 'agent_wake_on_lan') && !device.online)
    items.push({ text: texts.wake, choose: () => void wake(device) });
  if (may(device, 'agent_lock_screen'))
    items.push({ text: texts.lock, ...whenOnline(device), choose: () => void lock(device) });
  if (may(device, 'agent_reboot'))
    items.push({ text: texts.reboot, ...whenOnline(device), choose: () => void reboot(device, false) });
  // The other systems have no mode of that name to start in.
  if (may(device, 'agent_reboot') && device.os === 'win')
    items.push({ text: texts.rebootSafe, ...whenOnline(device), choose: () => void reboot(device, true) });
  return items;
}

function entry(device: Device, onGone?: () => void): MenuItem[] {
  const items: MenuItem[] = [
    {
      text: device.favorite ? texts.unfavorite : texts.favorite,
      choose: () => void toggleFavorite(device),
    },
  ];
  if (may(device, 'agent_change_settings'))
    items.push(
      { text: texts.rename, choose: () => void openRename(device) },
      { text: texts.move, choose: () => void openMove([device]) },
    );
  if (may(device, 'agent_logout'))
    items.push({ text: texts.unlink, choose: () => void unlink(device).then((gone) => gone && onGone?.()) });
  return items;
}

export function partsOf(device: Device, onGone?: () => void): MenuPart[] {
  const details: MenuItem = { text: texts.details, choose: () => navigate(`/panel/devices/${device.id}`) };
  const first = onGone ? connecting(device) : [details, ...connecting(device)];
  return [first, machine(device), entry(device, onGone)]
    .filter((items) => items.length > 0)
    .map((items) => ({ items }));
}

/** `onGone` is given on the page of the device itself. */
export const DeviceMenu = ({ device, onGone }: { device: Device; onGone?: () => void }) => (
  <Menu icon="more" title={texts.more(device.name)} parts={() => partsOf(device, onGone)} />
);
