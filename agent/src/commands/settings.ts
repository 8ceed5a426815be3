/** Takes over the settings the service has for the device. */
import type { CommandHandler } from './handler.ts';

export const settingsCommand: CommandHandler<'settings'> = async ({ name }, { rename }) => {
  await rename(name);
  return {};
};
