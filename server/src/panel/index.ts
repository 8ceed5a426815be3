/** Every handler of the panel's own API: one for each row of its table, and none without a row. */
import type { Panel } from '@drawbridge/contract/panel/index';
import { access } from './access.ts';
import { devices } from './devices.ts';
import { factors } from './factors.ts';
import type { PanelHandlers } from './handler.ts';
import { me } from './me.ts';
import { reset } from './reset.ts';
import { server } from './server.ts';
import { signIn } from './sign-in.ts';
import { support } from './support.ts';
import { teamLists } from './team.ts';

export const panelHandlers: PanelHandlers<Panel> = {
  ...signIn,
  ...me,
  ...factors,
  ...reset,
  ...devices,
  ...access,
  ...server,
  ...support,
  ...teamLists,
};
