/** The panel's own API: every operation under /panel/api, keyed by its path below it. */
import { panelAccess } from './access.ts';
import { devices } from './devices.ts';
import { me } from './me.ts';
import { server } from './server.ts';
import { signIn } from './sign-in.ts';
import { panelSupport } from './support.ts';
import { teamLists } from './team.ts';

export const panel = {
  ...signIn,
  ...me,
  ...devices,
  ...panelAccess,
  ...server,
  ...panelSupport,
  ...teamLists,
};

export type Panel = typeof panel;
export type PanelId = keyof Panel;

/** Where the panel's own operations are served, and below it those of the API for whoever is signed in. */
export const panelPrefix = '/panel/api/';
export const panelV1Prefix = '/panel/api/v1/';

/** The header in which a POST brings back what `me` told as `csrf`. */
export const csrfHeader = 'x-drawbridge-csrf';

/** The header of requests that the page makes by itself: they do not count as somebody being there. */
export const backgroundHeader = 'x-drawbridge-background';
