/** Mouse and keyboard: what the operator does in the picture is done at that place of the device's screen. */
import { decodeKey, decodePointer, decodeWheel } from '@drawbridge/contract/session/binary-frames';
import { decodeMessage } from '@drawbridge/contract/session/messages';
import type { Desktop, DesktopInput } from '../../platform/desktop.ts';
import { malformed } from '../malformed-frame.ts';
import type { FeatureFactory } from '../feature.ts';
import { viewOffsetOf } from '../view-offset.ts';

export const controlFeature: FeatureFactory = (context) => {
  const view = viewOffsetOf(context);
  let turn = 0;
  let opening: Promise<{ desktop: Desktop; input: DesktopInput }> | undefined;
  let last = { x: 0, y: 0, buttons: 0 };

  const open = async (): Promise<{ desktop: Desktop; input: DesktopInput }> => {
    const desktop = await context.platform.desktop();
    // After the person has logged out, the next desktop is used.
    desktop.onClose(() => void (opening = undefined));
    try {
      return { desktop, input: await desktop.input() };
    } catch (error) {
      desktop.close();
      throw error;
    }
  };
  /** What was sent before everything had to rest is not done after it, however long the display takes to open. */
  const withInput = async (work: (input: DesktopInput) => void): Promise<void> => {
    const own = turn;
    opening ??= open();
    try {
      const { input } = await opening;
      if (own === turn) work(input);
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
  const point = (input: DesktopInput, x: number, y: number, buttons: number): void => {
    last = { x: x + view.offsetX, y: y + view.offsetY, buttons };
    input.pointer(last.x, last.y, buttons);
  };

  return {
    handlers: {
      pointer(payload) {
        const { x, y, buttons } = decodePointer(payload) ?? malformed('pointer');
        return withInput((input) => point(input, x, y, buttons));
      },
      wheel(payload) {
        const { x, y, deltaX, deltaY } = decodeWheel(payload) ?? malformed('wheel');
        return withInput((input) => {
          point(input, x, y, last.buttons);
          input.wheel(deltaX, deltaY);
        });
      },
      key(payload) {
        const { down, code, key } = decodeKey(payload) ?? malformed('key');
        return withInput((input) => input.key(down, code, key));
      },
      text(payload) {
        const { text } = decodeMessage('text', payload) ?? malformed('text');
        return withInput((input) => input.text(text));
      },
    },
    releaseInput() {
      turn += 1;
      last = { ...last, buttons: 0 };
      if (opening) void withInput((input) => input.reset()).catch(() => {});
    },
    async stop() {
      const opened = await opening?.catch(() => undefined);
      opened?.input.close();
      opened?.desktop.close();
    },
  };
};
