/** Uses a platform as a session does, with a program on its desktop that takes text. Runs on every system, also inside Windows. */
import type { Clipboard, Desktop, DesktopInput } from '@drawbridge/agent/platform/desktop';
import type { Platform } from '@drawbridge/agent/platform/platform';
import { eventually } from '../../kit/eventually.ts';

interface Point {
  x: number;
  y: number;
}

/** The opened parts of a desktop, and what they have reported. */
export interface UsedDesktop {
  input: DesktopInput;
  clipboard: Clipboard;
  /** The last text of the device's clipboard. */
  copied(): string;
  /** The last position of the pointer; undefined if the desktop does not report it. */
  cursor(): Point | undefined;
}

/** A program on the desktop that takes text. */
export interface TextProgram {
  /** A point inside it, and the colour there. */
  at: Point;
  colour: number;
  /** Resolves when it reacts to keys. */
  wake(used: UsedDesktop): Promise<void>;
  /** Resolves with what the program received of what is typed. */
  receive(used: UsedDesktop, type: () => void): Promise<string>;
  /** Puts a text that it has received into the clipboard of the device. */
  copy(used: UsedDesktop, text: string): void | Promise<void>;
  /** Resolves with what can be pasted on the device. */
  paste(used: UsedDesktop): Promise<string>;
  /** Whether the pointer was seen there. */
  isPointedAt(used: UsedDesktop, point: Point): Promise<boolean>;
}

export interface PlatformReport {
  os: string;
  isNamed: boolean;
  size: { width: number; height: number };
  /** Whether each monitor is the primary one. */
  monitors: boolean[];
  preview: string;
  isShown: boolean;
  isChangeSeen: boolean;
  typed: string;
  isPointed: boolean;
  fromDevice: string;
  fromOperator: string;
}

/** What the operator types, and what they paste. */
export const texts = { typed: 'Hällo €ж', pasted: 'from the operator ☃' } as const;

export function press(input: DesktopInput, ...keys: readonly (readonly [code: string, key: string])[]): void {
  for (const [code, key] of keys) input.key(true, code, key);
  for (const [code, key] of keys.toReversed()) input.key(false, code, key);
}

function typeText(input: DesktopInput, text: string): void {
  for (const letter of text) {
    const key = [/[a-z]/i.test(letter) ? `Key${letter.toUpperCase()}` : 'KeyA', letter] as const;
    press(input, ...(/[A-Z]/.test(letter) ? [['ShiftLeft', 'Shift'] as const, key] : [key]));
  }
}

export async function exercisePlatform(platform: Platform, program: TextProgram): Promise<PlatformReport> {
  const [facts, desktop] = [await platform.facts(), await platform.desktop()];
  const { width, height, monitors } = await desktop.layout();
  const [screen, input] = [await watchScreen(desktop), await desktop.input()];
  const clipboard = await desktop.clipboard();
  let copied = '';
  clipboard.onChange((text) => (copied = text));
  const used: UsedDesktop = { input, clipboard, copied: () => copied, cursor: screen.cursor };
  const isShown = await eventually(() => screen.hasColour(program.at, program.colour), Boolean);
  const before = screen.changes();
  await program.wake(used);
  const typed = await program.receive(used, () => typeText(input, texts.typed));
  const exchanged = await exchangeTexts(used, program, typed);
  const report = {
    os: facts.os,
    isNamed: facts.name !== '' && facts.os_user !== '',
    size: { width, height },
    monitors: monitors.map(({ primary }) => primary),
    preview: (await platform.preview(320)).type,
    isShown,
    isChangeSeen: screen.changes() > before,
    typed,
    ...exchanged,
    isPointed: await pointInto(used, program),
  };
  for (const part of [screen, input, clipboard, desktop]) part.close();
  return report;
}

async function watchScreen(desktop: Desktop) {
  const capture = await desktop.capture();
  let changes = 0;
  let cursor: Point | undefined;
  const take = (): void => void capture.damage().catch(() => {});
  capture.onDamage(() => {
    changes += 1;
    take();
  });
  capture.onCursor(({ x, y }) => (cursor = { x, y }));
  take();
  return {
    changes: () => changes,
    cursor: () => cursor,
    async hasColour({ x, y }: Point, colour: number): Promise<boolean> {
      const [pixels] = await capture.grab([{ x, y, width: 1, height: 1 }]);
      return (pixels!.words[pixels!.offset]! & 0xff_ffff) === colour;
    },
    close: () => capture.close(),
  };
}

async function exchangeTexts(used: UsedDesktop, program: TextProgram, typed: string) {
  await program.copy(used, typed);
  const fromDevice = await eventually(used.copied, (text) => text === typed);
  const writeAndPaste = (): Promise<string> => {
    used.clipboard.write(texts.pasted);
    return program.paste(used);
  };
  return { fromDevice, fromOperator: await eventually(writeAndPaste, (text) => text === texts.pasted) };
}

/** Moves in two steps, because a pointer that is already there does not move. */
function pointInto({ input, ...used }: UsedDesktop, { at, isPointedAt }: TextProgram): Promise<boolean> {
  const point = { x: at.x - 20, y: at.y - 10 };
  return eventually(() => {
    input.pointer(at.x, at.y, 0);
    input.pointer(point.x, point.y, 0);
    return isPointedAt({ input, ...used }, point);
  }, Boolean);
}
