/** Begins an update of the agent. It answers at once; the agent then reports how the update proceeds. */
import type { CommandHandler } from './handler.ts';

export const selfUpdateCommand: CommandHandler<'self_update'> = async ({ version }, { update }) => {
  await update(version);
  return {};
};
