/** Every handler: one for each row of the table, and none without a row. */
import type { V1 } from '@drawbridge/contract/v1/index';
import { access } from './access.ts';
import { account } from './account.ts';
import { agents } from './agents.ts';
import { branding } from './branding.ts';
import { departments } from './departments.ts';
import { device } from './device.ts';
import { enroll } from './enroll.ts';
import { files } from './files.ts';
import { groupSettings } from './group-settings.ts';
import { groups } from './groups.ts';
import type { Handlers } from './handler.ts';
import { history } from './history.ts';
import { keys } from './keys.ts';
import { members } from './members.ts';
import { roles } from './roles.ts';
import { sessions } from './sessions.ts';
import { support } from './support.ts';

export const handlers: Handlers<V1> = {
  ...support,
  ...agents,
  ...groups,
  ...roles,
  ...access,
  ...departments,
  ...history,
  ...members,
  ...keys,
  ...account,
  ...enroll,
  ...device,
  ...files,
  ...groupSettings,
  ...sessions,
  ...branding,
};
