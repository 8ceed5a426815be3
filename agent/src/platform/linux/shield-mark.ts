/** A mark on disk while the screen is black: an agent that was killed then gives the picture back when it starts again. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentFolder } from '../../folder.ts';

export const markName = 'shielded';

const place = (): string => join(agentFolder(), markName);

/** Whether an agent was killed while the screen was black. */
export const isLeftBlack = (): boolean => existsSync(place());

const clear = (): void => rmSync(place(), { force: true });

/** Raises a shield under the mark; the mark goes when the shield is lowered, or could not be raised. */
export async function marked(raise: () => Promise<() => Promise<void>>): Promise<() => Promise<void>> {
  mkdirSync(agentFolder(), { recursive: true, mode: 0o700 });
  writeFileSync(place(), '');
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
