/** Notepad on a Windows desktop under Wine, as an operator uses it in a session. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserPage } from '../browser/browser-page.ts';
import { clickAt, shownPixels, typeKeys } from '../browser/remote-input.ts';
import { findWindow, type WindowGeometry } from '../display/desktop-programs.ts';
import type { TestDisplay } from '../display/display.ts';
import { eventually } from '../eventually.ts';
import type { WineSystem } from './wine.ts';

export interface Notepad {
  /** The folder of the person at the device. */
  home: string;
  /** Clicks into Notepad, and types until it has the focus: keys before that are lost. The next key replaces the text. */
  focus(page: BrowserPage): Promise<WindowGeometry>;
  /** Saves in Notepad until the file has this text. */
  savesAs(page: BrowserPage, text: string): Promise<void>;
  /** Resolves when the operator sees this part of the display exactly. */
  isShown(page: BrowserPage, part: WindowGeometry): Promise<void>;
}

const byteOrderMark = '\ufeff';

const middleOf = ({ x, y, width, height }: WindowGeometry) => ({
  x: x + Math.floor(width / 2),
  y: y + Math.floor(height / 2),
});

export async function pressWithControl({ tab }: BrowserPage, key: 'a' | 's' | 'c'): Promise<void> {
  await tab.keyboard.down('Control');
  await tab.keyboard.press(key);
  await tab.keyboard.up('Control');
}

/** Starts Notepad with an empty file; it ends with the system. `width` is that of the display. */
export function startNotepad(windows: WineSystem, display: TestDisplay, width: number): Notepad {
  const home = join(windows.driveC, 'users/root');
  const file = join(home, 'notes.txt');
  mkdirSync(home, { recursive: true });
  writeFileSync(file, byteOrderMark);
  windows.start('notepad', ['C:\\users\\root\\notes.txt'], { DISPLAY: display.name });
  const saved = (): string => readFileSync(file, 'utf8').replace(byteOrderMark, '');
  return {
    home,
    async focus(page) {
      const window = await findWindow('notes.txt - Notepad');
      writeFileSync(file, byteOrderMark);
      await clickAt(page, middleOf(window));
      await eventually(async () => {
        await typeKeys(page, 'x');
        await pressWithControl(page, 's');
        return saved();
      }, Boolean);
      await pressWithControl(page, 'a');
      return window;
    },
    async savesAs(page, text) {
      await pressWithControl(page, 's');
      await eventually(saved, (now) => now === text);
    },
    async isShown(page, part) {
      await eventually(async () => {
        const [shown, all] = [await shownPixels(page, part), await display.pixels()];
        const indexOf = (at: number): number =>
          (part.y + Math.floor(at / part.width)) * width + part.x + (at % part.width);
        return shown.every((pixel, at) => pixel === all[indexOf(at)]);
      }, Boolean);
    },
  };
}
