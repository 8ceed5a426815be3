/** Lists the installed programs. */
import type { CommandOf } from './command.ts';

export const software: CommandOf<'software'> = async (_input, { platform }) => ({
  programs: await platform.software(),
});
