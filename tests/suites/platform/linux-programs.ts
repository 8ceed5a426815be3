/** Desktops of Linux with a terminal that takes text: X11, the same behind a VNC server, and sway. */
import { copyText, openTypingTerminal, pasteText } from '../../kit/display/desktop-programs.ts';
import { startDisplay, type TestDisplay } from '../../kit/display/display.ts';
import { startSway, swayTerminalColour } from '../../kit/display/sway.ts';
import { startVncDisplay } from '../../kit/display/vnc.ts';
import { eventually } from '../../kit/eventually.ts';
import { press, type TextProgram, type UsedDesktop } from './exercise-platform.ts';

interface OpenedDesktop extends AsyncDisposable {
  program: TextProgram;
}

export interface Size {
  width: number;
  height: number;
}

const enter = ['Enter', 'Enter'] as const;

/** A terminal that writes each line into a file. */
function lineProgram(typed: () => string): Pick<TextProgram, 'wake' | 'receive'> & { last(): string } {
  const lines = (): string[] => typed().split('\n').filter(Boolean);
  const last = (): string => lines().at(-1) ?? '';
  return {
    last,
    async wake({ input }) {
      await eventually(() => {
        press(input, enter);
        return typed();
      }, Boolean);
    },
    async receive({ input }, type) {
      const before = lines().length;
      type();
      press(input, enter);
      await eventually(lines, (all) => all.length > before);
      return last();
    },
  };
}

async function openOnX11(display: TestDisplay): Promise<OpenedDesktop> {
  const terminal = await openTypingTerminal();
  const { client, root, call } = display.connection;
  const lines = lineProgram(terminal.typed);
  const program: TextProgram = {
    at: terminal.at,
    colour: 0xff_ffff,
    ...lines,
    async wake(used) {
      // Without a window manager, keys go to the window below the pointer.
      used.input.pointer(terminal.at.x, terminal.at.y, 0);
      await lines.wake(used);
    },
    copy: (_, text) => copyText(text),
    paste: pasteText,
    async isPointedAt(_, { x, y }) {
      const now = await call<{ rootX: number; rootY: number }>((done) => client.QueryPointer(root, done));
      return now.rootX === x && now.rootY === y;
    },
  };
  return {
    program,
    async [Symbol.asyncDispose]() {
      await terminal[Symbol.asyncDispose]();
      await display[Symbol.asyncDispose]();
    },
  };
}

export const openX11 = async ({ width, height }: Size): Promise<OpenedDesktop> =>
  openOnX11(await startDisplay(width, height));

export const openVnc = async ({ width, height }: Size): Promise<OpenedDesktop> =>
  openOnX11(await startVncDisplay(width, height));

/** The terminal fills the screen, copies each line, and reports clicks as characters. */
export async function openSway({ width, height }: Size): Promise<OpenedDesktop> {
  const sway = await startSway(width, height);
  const lines = lineProgram(sway.typed);
  const pasteKeys = [
    ['ControlLeft', 'Control'],
    ['ShiftLeft', 'Shift'],
    ['KeyV', 'V'],
  ] as const;
  const send = ({ input }: UsedDesktop): string => {
    press(input, enter);
    return lines.last();
  };
  return {
    program: {
      at: { x: Math.floor(width / 2), y: Math.floor(height / 2) },
      colour: swayTerminalColour,
      ...lines,
      copy: () => {},
      async paste(used) {
        press(used.input, ...pasteKeys);
        return send(used);
      },
      async isPointedAt(used, { x, y }) {
        used.input.pointer(x, y, 1);
        used.input.pointer(x, y, 0);
        return /\[<0;\d+;\d+M/.test(send(used));
      },
    },
    [Symbol.asyncDispose]: () => sway[Symbol.asyncDispose](),
  };
}
