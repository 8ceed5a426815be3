/** Takes over the settings the service has for the device. */
import type { CommandOf } from './command.ts';

export const settings: CommandOf<'settings'> = async ({ name }, { rename }) => {
  await rename(name);
  return {};
};
