/** The person at a GNOME desktop of the tests, who works there and answers the dialog of the portal. Needs `--unsafe-mode`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { callGnome, evaluateInGnome } from './gnome-bus.ts';
import { readPng } from './png-reader.ts';

export interface GnomePerson {
  /** The person closes the overview of all windows, and moves the mouse until it is noticed. */
  beginWork(): Promise<void>;
  /** The person presses CapsLock. */
  pressCapsLock(): void;
  /** The person answers the dialog of the portal as soon as it is there. */
  answer(answer: keyof typeof answers): Promise<void>;
}

/** Where the dialog has its buttons, from its left or right and upper edges. */
const answers = { decline: [50, 23], showOnly: [-48, 23], allowInput: [-48, 23] } as const;
const inputSwitch = [-74, 157] as const;

/** Moves a mouse that the shell creates for itself; `click` is code that runs there. */
const mouseScript = (place: string, click: string): string => `(() => {
  const { Clutter, GLib } = imports.gi;
  const kind = Clutter.InputDeviceType.POINTER_DEVICE;
  globalThis.mouse ??= Clutter.get_default_backend().get_default_seat().create_virtual_device(kind);
  // It is placed first, and then grows to its size.
  const isThere = (actor) => actor.meta_window.get_wm_class() === 'xdg-desktop-portal-gnome' &&
    actor.meta_window.get_frame_rect().width > 100 && actor.scale_x === 1 && actor.opacity === 255;
  const actor = global.get_window_actors().find(isThere);
  const dialog = actor?.meta_window.get_frame_rect();
  const place = ${place};
  if (!place) return 'no dialog';
  // It opens behind a window that the person has just used.
  const pointed = global.stage.get_actor_at_pos(Clutter.PickMode.REACTIVE, place[0], place[1]);
  if (actor && !actor.contains(pointed)) {
    actor.meta_window.make_above();
    Main.activateWindow(actor.meta_window);
    return 'covered';
  }
  const now = GLib.get_monotonic_time();
  mouse.notify_absolute_motion(now, place[0], place[1]);
  ${click}
  return 'done';
})()`;

/** The keyboard stays: without one the seat would forget its locks. */
const capsLockScript = `(() => {
  const { Clutter, GLib } = imports.gi;
  const kind = Clutter.InputDeviceType.KEYBOARD_DEVICE;
  globalThis.keyboard ??= Clutter.get_default_backend().get_default_seat().create_virtual_device(kind);
  for (const state of [Clutter.KeyState.PRESSED, Clutter.KeyState.RELEASED]) keyboard.notify_key(GLib.get_monotonic_time(), 58, state);
})()`;

const [pressScript, releaseScript] = ['PRESSED', 'RELEASED'].map(
  (state) => `mouse.notify_button(now, Clutter.BUTTON_PRIMARY, Clutter.ButtonState.${state});`,
) as [string, string];

export const personAtGnome = (folder: string, events: () => string[]): GnomePerson => ({
  async beginWork() {
    // GNOME does not hide it while it appears.
    await eventually(
      () => evaluateInGnome(folder, 'Main.overview.hide(), Main.overview.visible'),
      (reply) => reply.includes('"false"'),
    );
    await eventually(
      () => {
        for (const x of [10, 11]) evaluateInGnome(folder, mouseScript(`[${x}, 10]`, ''));
        return events();
      },
      (found) => found.includes('pointer 11 10'),
    );
  },
  pressCapsLock: () => void evaluateInGnome(folder, capsLockScript),
  async answer(answer) {
    if (answer === 'allowInput') {
      await actInDialog(folder, inputSwitch, '');
      const before = countBlue(folder);
      await clickInDialog(folder, inputSwitch);
      // The switch moves before it is on.
      await eventually(
        () => countBlue(folder),
        (count) => count > before + 300,
      );
    }
    await clickInDialog(folder, answers[answer]);
  },
});

type DialogPlace = readonly [x: number, y: number];

/** The pointer is there some time before the button is pressed, as with a real mouse. */
async function clickInDialog(folder: string, place: DialogPlace): Promise<void> {
  for (const click of ['', pressScript, releaseScript]) await actInDialog(folder, place, click);
}

async function actInDialog(folder: string, [x, y]: DialogPlace, click: string): Promise<void> {
  const edge = x < 0 ? 'dialog.x + dialog.width' : 'dialog.x';
  const script = mouseScript(`dialog && [${edge} + ${x}, dialog.y + ${y}]`, click);
  await eventually(
    () => evaluateInGnome(folder, script),
    (reply) => reply.includes('done') || (click === releaseScript && reply.includes('no dialog')),
  );
}

/** How much of the screen is as blue as a switch that is on, also below the pointer. */
function countBlue(folder: string): number {
  const file = join(folder, 'screen.png');
  const options = ['boolean:false', 'boolean:false', `string:${file}`];
  callGnome(folder, 'org.gnome.Shell.Screenshot', 'Screenshot', ...options);
  const { pixels } = readPng(readFileSync(file));
  return pixels.filter((pixel) => (pixel & 0xff) - ((pixel >> 16) & 0xff) > 100).length;
}
