/** Lists the installed programs. */
import type { CommandHandler } from './handler.ts';

export const softwareCommand: CommandHandler<'software'> = async (_input, { platform }) => ({
  programs: await platform.software(),
});
