/** Saves the settings that the server has for the device. */
import type { CommandHandler } from './handler.ts';

export const settingsCommand: CommandHandler<'settings'> = async ({ name }, { rename }) => {
  await rename(name);
  return {};
};
