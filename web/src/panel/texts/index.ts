/** Every word of the panel, by area. Another language is another set of these files with the same names. */
import { common } from './common.ts';
import { device } from './device.ts';
import { hardware } from './devices-hardware.ts';
import { devicesMore } from './devices-more.ts';
import { devices } from './devices.ts';
import { integration } from './integration.ts';
import { profile } from './profile.ts';
import { signIn } from './sign-in.ts';
import { team } from './team.ts';
import { server } from './server.ts';
import { admin } from './admin.ts';
import { history } from './history.ts';
import { support } from './support.ts';

export const t = {
  device,
  hardware,
  devicesMore,
  devices,
  integration,
  profile,
  signIn,
  team,
  server,
  admin,
  common,
  history,
  support,
};
