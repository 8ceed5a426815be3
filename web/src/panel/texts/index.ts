/** All texts of the panel, by area. Another language needs another set of these files with the same names. */
import { commonTexts } from './common.ts';
import { deviceTexts } from './device.ts';
import { directoryTexts } from './directories.ts';
import { hardwareTexts } from './devices-hardware.ts';
import { deviceSetupTexts } from './devices-more.ts';
import { deviceListTexts } from './devices.ts';
import { integrationTexts } from './integration.ts';
import { notificationTexts } from './notifications.ts';
import { policyTexts } from './policies.ts';
import { requestTexts } from './requests.ts';
import { profileTexts } from './profile.ts';
import { provisioningTexts } from './provisioning.ts';
import { webhookTexts } from './webhooks.ts';
import { signInTexts } from './sign-in.ts';
import { ssoTexts } from './sso.ts';
import { teamTexts } from './team.ts';
import { serverTexts } from './server.ts';
import { adminTexts } from './admin.ts';
import { historyTexts } from './history.ts';
import { supportTexts } from './support.ts';
import { updateTexts } from './updates.ts';

export const t = {
  device: deviceTexts,
  directories: directoryTexts,
  hardware: hardwareTexts,
  devicesMore: deviceSetupTexts,
  devices: deviceListTexts,
  integration: integrationTexts,
  notifications: notificationTexts,
  policies: policyTexts,
  profile: profileTexts,
  requests: requestTexts,
  provisioning: provisioningTexts,
  webhooks: webhookTexts,
  signIn: signInTexts,
  sso: ssoTexts,
  team: teamTexts,
  server: serverTexts,
  admin: adminTexts,
  common: commonTexts,
  history: historyTexts,
  support: supportTexts,
  updates: updateTexts,
};
