/** Desktops of Linux with a program that takes text: X11, the same behind a VNC server, sway, and GNOME. */
import { copyText, openTypingTerminal, pasteText } from '../../kit/display/desktop-programs.ts';
import { startDisplay, type TestDisplay } from '../../kit/display/display.ts';
import { startGnome } from '../../kit/display/gnome.ts';
import { recordingWindowColour } from '../../kit/display/recording-window.ts';
import { startSway, swayTerminalColour } from '../../kit/display/sway.ts';
import { startVncDisplay } from '../../kit/display/vnc.ts';
import { eventually } from '../../kit/eventually.ts';
import { press, texts, type TextProgram, type UsedDesktop } from './exercise-platform.ts';

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

/** The window fills the screen, has a text field, and records what happens to it. */
export async function openGnome(size: Size): Promise<OpenedDesktop> {
  const gnome = await startGnome(size.width, size.height);
  return {
    program: recordingProgram(gnome.events, size),
    [Symbol.asyncDispose]: () => gnome[Symbol.asyncDispose](),
  };
}

function pressWithControl({ input }: UsedDesktop, ...letters: string[]): void {
  for (const letter of letters)
    press(input, ['ControlLeft', 'Control'], [`Key${letter.toUpperCase()}`, letter]);
}

function recordingProgram(events: () => string[], { width, height }: Size): TextProgram {
  const lastOf = (kind: string): string =>
    events()
      .findLast((line) => line.startsWith(`${kind} `))
      ?.slice(kind.length + 1) ?? '';
  return {
    at: { x: Math.floor(width / 2), y: Math.floor(height / 2) },
    colour: recordingWindowColour,
    async wake({ input }) {
      // GNOME begins with an overview of all windows.
      const leaveOverview = (): string => {
        press(input, ['Escape', 'Escape']);
        return lastOf('active');
      };
      await eventually(leaveOverview, (active) => active === 'true');
    },
    receive(_, type) {
      type();
      const isWhole = (text: string): boolean => [...text].length >= [...texts.typed].length;
      return eventually(() => lastOf('text'), isWhole);
    },
    copy: (used) => pressWithControl(used, 'a', 'c'),
    // The window reads the clipboard when it changes.
    paste: async () => lastOf('clipboard'),
    isPointedAt: async (_, { x, y }) => lastOf('pointer') === `${x} ${y}`,
  };
}
