/** Every handler of the panel's own API: exactly one for each row of its table. */
import type { Panel } from '@drawbridge/contract/panel/index';
import { panelAccessHandlers } from './rows/access.ts';
import { panelDeviceHandlers } from './rows/devices.ts';
import { factorHandlers } from './sign-in/factors.ts';
import type { PanelHandlers } from './handler.ts';
import { meHandlers } from './rows/me.ts';
import { notificationHandlers } from './rows/notifications.ts';
import { resetHandlers } from './sign-in/reset.ts';
import { serverHandlers } from './rows/server.ts';
import { signInHandlers } from './sign-in/sign-in.ts';
import { panelSupportHandlers } from './rows/support.ts';
import { ssoHandlers } from './sign-in/sso.ts';
import { teamListHandlers } from './rows/team.ts';

export const panelHandlers: PanelHandlers<Panel> = {
  ...signInHandlers,
  ...meHandlers,
  ...factorHandlers,
  ...resetHandlers,
  ...ssoHandlers,
  ...panelDeviceHandlers,
  ...panelAccessHandlers,
  ...notificationHandlers,
  ...serverHandlers,
  ...panelSupportHandlers,
  ...teamListHandlers,
};
