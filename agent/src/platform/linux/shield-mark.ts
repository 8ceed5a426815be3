/** A marker file that exists while the screen is black, so that an agent that was killed restores the screen at the next start. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentFolder } from '../../folder.ts';

export const shieldMarkName = 'shielded';

const markPath = (): string => join(agentFolder(), shieldMarkName);

/** Whether an agent was killed while the screen was black. */
export const wasLeftShielded = (): boolean => existsSync(markPath());

const clear = (): void => rmSync(markPath(), { force: true });

/** Creates the marker and raises a shield; removes the marker when the shield is lowered or could not be raised. */
export async function withShieldMark(
  raise: () => Promise<() => Promise<void>>,
): Promise<() => Promise<void>> {
  mkdirSync(agentFolder(), { recursive: true, mode: 0o700 });
  writeFileSync(markPath(), '');
  try {
    const lower = await raise();
    return async () => {
      await lower();
      clear();
    };
  } catch (error) {
    clear();
    throw error;
  }
}
