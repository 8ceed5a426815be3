/** Blacks out the screen and blocks mouse and keyboard at the device, while the operator still sees and controls everything. */
import { NotPossible } from '../../platform.ts';
import type { WindowsApi } from '../api/windows-api.ts';
import { createWindow } from '../create-window.ts';
import { handleMessages } from '../message-loop.ts';
import { createScreenBitmap } from './bitmap.ts';
import { listOutputs, type DisplayOutput } from './outputs.ts';

const styles = { popup: 0x8000_0000, visible: 0x1000_0000, blackRectangle: 4 } as const;
/** The window lets the operator's clicks through. */
const extendedStyles = {
  topmost: 0x8,
  transparent: 0x20,
  toolWindow: 0x80,
  layered: 0x8_0000,
  noActivate: 0x0800_0000,
} as const;
const [opaque, byAlpha] = [255, 2];
const excludedFromCapture = 0x11;

/** Windows undoes all of it by itself when the agent ends. */
export async function raiseShield(api: WindowsApi): Promise<() => Promise<void>> {
  const wasBlack = await isScreenBlack(api);
  const covers = listOutputs(api).map((output) => cover(api, output));
  const lower = async (): Promise<void> => {
    api.BlockInput(0);
    covers.forEach((each) => each.remove());
  };
  try {
    if (!covers.every(({ isExcluded }) => isExcluded) || (!wasBlack && (await isScreenBlack(api))))
      throw new NotPossible(
        'The screen of the device cannot be blacked out because its Windows would black it out for you too. Windows 10 from version 2004 on can do it.',
      );
    if (!api.BlockInput(1))
      throw new NotPossible(
        'Input on the device cannot be blocked because the agent does not run as administrator.',
      );
    return lower;
  } catch (error) {
    await lower();
    throw error;
  }
}

/** A black window over a monitor, which copies of the screen do not show. */
function cover(api: WindowsApi, output: DisplayOutput): { isExcluded: boolean; remove(): void } {
  const extended = Object.values(extendedStyles).reduce((all, each) => all | each, 0);
  const style = styles.popup | styles.visible | styles.blackRectangle;
  const window = createWindow(api, { style, extendedStyle: extended, box: output });
  api.SetLayeredWindowAttributes(window, 0, opaque, byAlpha);
  const stop = handleMessages(api, window, () => false);
  return {
    isExcluded: api.SetWindowDisplayAffinity(window, excludedFromCapture) !== 0,
    remove() {
      stop();
      api.DestroyWindow(window);
    },
  };
}

async function isScreenBlack(api: WindowsApi): Promise<boolean> {
  const bitmap = createScreenBitmap(api);
  try {
    const { width, height, bytes } = bitmap;
    await bitmap.copyScreen();
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, width * height);
    return words.every((word) => (word & 0xff_ffff) === 0);
  } finally {
    bitmap.close();
  }
}
