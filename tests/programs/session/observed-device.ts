/** A device with simulated hardware and a simulated person: it records what a session does to it, and tests let it act. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { openFiles } from '@drawbridge/agent/platform/linux/files/session-files';
import type { Capture, CursorShape, Desktop, DesktopInput, Pixels } from '@drawbridge/agent/platform/desktop';
import type { DropListener, FileDrags } from '@drawbridge/agent/platform/drag/file-drags';
import type { DeviceSound } from '@drawbridge/agent/platform/device-sound';
import type { Platform } from '@drawbridge/agent/platform/platform';
import type { PrintJob, SessionPrinter } from '@drawbridge/agent/platform/printing/session-printer';
import type { Shell, ShellSize } from '@drawbridge/agent/platform/shell';
import type { Voice } from '@drawbridge/agent/platform/voice';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';

/** What happens at the device. Each goes to the session that asked for it last. */
interface DeviceEvents {
  /** The picture of the screen changes. */
  draw(): void;
  moveCursor(cursor: { x: number; y: number; shape?: CursorShape }): void;
  copy(text: string): void;
  reply(text: string): void;
  print(output: Uint8Array): void;
  exitShell(message: string): void;
  speak(samples: Uint8Array): void;
  playSound(samples: Uint8Array): void;
  printDocument(job: PrintJob): Promise<void>;
  /** What is told about a drag over the edge of the picture. */
  drag: DropListener;
}

export interface ObservedDevice extends Disposable {
  platform: Platform;
  /** What was done to it, in order. */
  done: string[];
  /** The folder that operators can access. */
  folder: string;
  events: DeviceEvents;
  /** What the person answers when asked. */
  person: { accepts: boolean };
}

interface State {
  done: string[];
  events: DeviceEvents;
  person: ObservedDevice['person'];
  /** Changes with every picture. */
  seed: number;
  isDamaged: boolean;
}

/** Large and noisy enough to be sent as video; the second monitor is small and plain, and is sent as tiles. */
export const monitors = [
  { name: 'noisy', x: 0, y: 0, width: 320, height: 240, primary: true },
  { name: 'plain', x: 320, y: 0, width: 64, height: 64, primary: false },
] as const;
export const sizes = [{ width: 800, height: 600 }];
/** The colour of the second monitor. */
export const plainColour = 0x33_66_99;

const nothing = (): void => {};
const screen = { x: 0, y: 0, width: 384, height: 240 };

const unusedEvents = (): DeviceEvents => ({
  draw: nothing,
  moveCursor: nothing,
  copy: nothing,
  reply: nothing,
  print: nothing,
  exitShell: nothing,
  speak: nothing,
  playSound: nothing,
  printDocument: async () => {},
  drag: { onFiles: () => false, onAccepted: nothing, onDrop: nothing },
});

export function createObservedDevice(): ObservedDevice {
  const folder = mkdtempSync(join(tmpdir(), 'observed-device-'));
  const state: State = {
    done: [],
    events: unusedEvents(),
    person: { accepts: true },
    seed: 1,
    isDamaged: false,
  };
  const desktop = createDesktop(state);
  const { done, events, person } = state;
  const platform = createFakePlatform('observed', {
    desktop: async () => desktop,
    files: () => openFiles({ DRAWBRIDGE_AGENT_FILES: folder }),
    shell: async (size) => openShell(state, size),
    voice: async () => openVoice(state),
    sound: async () => openSound(state),
    printer: async () => openPrinter(state),
    lock: async () => void done.push('lock'),
    reboot: async ({ safe }) => void done.push(safe ? 'reboot safe' : 'reboot'),
  });
  return {
    platform,
    done,
    folder,
    events,
    person,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

function createDesktop(state: State): Desktop {
  const { done, events, person } = state;
  return {
    layout: async () => ({ width: screen.width, height: screen.height, monitors, sizes }),
    onLayout: nothing,
    onClose: nothing,
    capture: async () => openCapture(state),
    input: async () => createInput(done),
    clipboard: async () => ({
      onChange: (listener) => void (events.copy = listener),
      write: (text) => void done.push(`clipboard ${text}`),
      close: nothing,
    }),
    fileDrags: async () => createFileDrags(state),
    resize: async (width, height) => void done.push(`resize ${width} ${height}`),
    restoreSize: async () => {},
    async shield() {
      done.push('shield on');
      return async () => void done.push('shield off');
    },
    async banner(text) {
      done.push(`banner ${text}`);
      return { onStop: nothing, setText: (next) => void done.push(`banner ${next}`), close: nothing };
    },
    inform: async () => {},
    async ask(question) {
      done.push(`asked ${question}`);
      return person.accepts;
    },
    async chat(name, text, onReply) {
      events.reply = onReply;
      done.push(`chat ${name} ${text}`);
    },
    close: nothing,
  };
}

const createInput = (done: string[]): DesktopInput => ({
  pointer: (x, y, buttons) => void done.push(`pointer ${x} ${y} ${buttons}`),
  wheel: (deltaX, deltaY) => void done.push(`wheel ${deltaX} ${deltaY}`),
  key: (down, code, key) => void done.push(`key ${down} ${code} ${key}`),
  text: (text) => void done.push(`text ${text}`),
  reset: nothing,
  close: nothing,
});

function openCapture(state: State): Capture {
  return {
    async damage() {
      const boxes = state.isDamaged ? [screen] : [];
      state.isDamaged = false;
      return boxes;
    },
    grab: async (boxes) => boxes.map((box) => grab(state, box)),
    onDamage(listener) {
      state.events.draw = () => {
        state.isDamaged = true;
        listener();
      };
    },
    onCursor: (listener) => void (state.events.moveCursor = listener),
    close: nothing,
  };
}

function grab(state: State, box: Box): Pixels {
  const words = new Uint32Array(box.width * box.height).fill(plainColour);
  if (box.x < monitors[1].x)
    for (let at = 0; at < words.length; at += 1)
      words[at] = state.seed = (Math.imul(state.seed, 1_664_525) + 1_013_904_223) >>> 0;
  return { box, words, offset: 0, stride: box.width };
}

function openShell({ done, events }: State, { columns, rows }: ShellSize): Shell {
  done.push(`shell ${columns} ${rows}`);
  return {
    onData: (listener) => void (events.print = listener),
    onEnd: (listener) => void (events.exitShell = listener),
    write: (data) => void done.push(`typed ${Buffer.from(data).toString()}`),
    resize: (width, height) => void done.push(`shell resized ${width} ${height}`),
    pause: () => void done.push('shell paused'),
    resume: () => void done.push('shell resumed'),
    close: () => void done.push('shell closed'),
  };
}

const openSound = ({ done, events }: State): DeviceSound => ({
  onData: (listener) => void (events.playSound = listener),
  onEnd: nothing,
  close: () => void done.push('sound closed'),
});

const createFileDrags = ({ done, events }: State): FileDrags => ({
  onBegin: nothing,
  search: () => ({ found: Promise.resolve(true), move() {}, close() {} }),
  openTarget({ x, y }, listener) {
    done.push(`drop target ${x} ${y}`);
    events.drag = listener;
    return { move: nothing, close: () => void done.push('no drop target') };
  },
  close: nothing,
});

const openPrinter = ({ done, events }: State): SessionPrinter => ({
  onJob: (receive) => void (events.printDocument = receive),
  close: async () => void done.push('printer removed'),
});

function openVoice({ done, events }: State): Voice {
  return {
    onData: (listener) => void (events.speak = listener),
    play: (samples) => void done.push(`played ${Buffer.from(samples).toString('hex')}`),
    onEnd: nothing,
    close: () => void done.push('call closed'),
  };
}
