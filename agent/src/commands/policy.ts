/** Stores the policy of the device and applies it, also to sessions that run. */
import type { CommandHandler } from './handler.ts';

export const policyCommand: CommandHandler<'policy'> = async (input, { applyPolicy }) => {
  await applyPolicy(input);
  return {};
};
