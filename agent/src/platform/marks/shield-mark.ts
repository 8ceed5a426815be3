/** A marker file that exists while the screen is black, so that an agent that was killed restores the screen at the next start. */
import { createMarkFile } from './mark-file.ts';

export const shieldMarkName = 'shielded';

const mark = createMarkFile(shieldMarkName);

/** Whether an agent was killed while the screen was black. */
export const wasLeftShielded = mark.exists;

/** Creates the marker and raises a shield; removes the marker when the shield is lowered or could not be raised. */
export async function withShieldMark(
  raise: () => Promise<() => Promise<void>>,
): Promise<() => Promise<void>> {
  mark.write('');
  try {
    const lower = await raise();
    return async () => {
      await lower();
      mark.clear();
    };
  } catch (error) {
    mark.clear();
    throw error;
  }
}
