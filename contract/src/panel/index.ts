/** The panel's own API: every operation under /panel/api, keyed by its path below it. */
import { panelAccess } from './access.ts';
import { devices } from './devices.ts';
import { me } from './me.ts';
import { notifications } from './notifications.ts';
import { server } from './server.ts';
import { signIn } from './sign-in.ts';
import { sso } from './sso.ts';
import { panelSupport } from './support.ts';
import { teamLists } from './team.ts';

export const panel = {
  ...signIn,
  ...sso,
  ...me,
  ...devices,
  ...panelAccess,
  ...notifications,
  ...server,
  ...panelSupport,
  ...teamLists,
};

export type Panel = typeof panel;
export type PanelId = keyof Panel;

/** Path of the panel's own operations, and below it the path of the API for people who are signed in. */
export const panelPrefix = '/panel/api/';
export const panelV1Prefix = '/panel/api/v1/';

/** A POST sends the `csrf` value from `me` in this header. */
export const csrfHeader = 'x-drawbridge-csrf';

/** Marks requests that the page makes by itself. They do not count as activity of the person. */
export const backgroundHeader = 'x-drawbridge-background';
