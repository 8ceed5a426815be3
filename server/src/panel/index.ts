/** Every handler of the panel's own API: one for each row of its table, and none without a row. */
import type { Panel } from '@drawbridge/contract/panel/index';
import { panelAccessHandlers } from './access.ts';
import { panelDeviceHandlers } from './devices.ts';
import { factorHandlers } from './factors.ts';
import type { PanelHandlers } from './handler.ts';
import { meHandlers } from './me.ts';
import { resetHandlers } from './reset.ts';
import { serverHandlers } from './server.ts';
import { signInHandlers } from './sign-in.ts';
import { panelSupportHandlers } from './support.ts';
import { teamListHandlers } from './team.ts';

export const panelHandlers: PanelHandlers<Panel> = {
  ...signInHandlers,
  ...meHandlers,
  ...factorHandlers,
  ...resetHandlers,
  ...panelDeviceHandlers,
  ...panelAccessHandlers,
  ...serverHandlers,
  ...panelSupportHandlers,
  ...teamListHandlers,
};
