/** Keyboard and wheel of an operator on a real GNOME desktop: locks, layouts, special keys, held modifiers, and scrolling by pixels. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { keycodes } from '@drawbridge/agent/platform/linux/keysyms';
import type { DesktopInput } from '@drawbridge/agent/platform/desktop';
import { startGnome, type Gnome } from '../../../kit/display/gnome.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';

const skip = skipWithout('GNOME');

type Key = readonly [code: string, key: string];

interface Used extends AsyncDisposable {
  gnome: Gnome;
  input: DesktopInput;
  /** Presses keys together, each given as code and key, and releases them. */
  press(...keys: readonly Key[]): void;
}

async function openUsed(): Promise<Used> {
  await using opened = new AsyncDisposableStack();
  const gnome = opened.use(await startGnome(800, 600, '--unsafe-mode'));
  await gnome.beginWork();
  const desktop = await openDesktop();
  opened.defer(() => desktop.close());
  const input = await desktop.input();
  // Programs notice the keyboard some time after it was created.
  await eventually(
    () => {
      [true, false].forEach((isDown) => input.key(isDown, 'F1', 'F1'));
      return gnome.events();
    },
    (events) => events.includes('key F1 0'),
  );
  const all = opened.move();
  return {
    gnome,
    input,
    press(...keys) {
      for (const [code, key] of keys) input.key(true, code, key);
      for (const [code, key] of keys.toReversed()) input.key(false, code, key);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

const linesOf = (gnome: Gnome, kind: string): string[] =>
  gnome.events().filter((line) => line.startsWith(`${kind} `));

const until = (gnome: Gnome, kind: string, line: string): Promise<unknown> =>
  eventually(
    () => linesOf(gnome, kind).at(-1),
    (last) => last === `${kind} ${line}`,
  );

/** Returns what the window recorded until the last of these keys had arrived. */
async function recordKeys({ gnome, press }: Used, keys: readonly Key[]): Promise<string[]> {
  const from = gnome.events().length;
  for (const each of keys) press(each);
  press(['End', 'End']);
  const since = (): string[] => gnome.events().slice(from);
  await eventually(since, (lines) => lines.includes('key End 0'));
  return since();
}

/** Types until the text arrives, and empties the text field before each trial. */
async function typesAs(used: Used, letters: readonly Key[]): Promise<void> {
  const wanted = letters.map(([, key]) => key).join('');
  await eventually(
    async () => {
      used.press(['Home', 'Home']);
      used.press(['ShiftLeft', 'Shift'], ['End', 'End']);
      used.press(['Delete', 'Delete']);
      await recordKeys(used, letters);
      return linesOf(used.gnome, 'text').at(-1);
    },
    (last) => last === `text ${wanted}`,
  );
}

/**
 * Waits until the agent and the desktop both use the layout, on which `code` is the key of `letter`; without its options, or on the
 * layout before, another one is.
 * Nothing else is pressed meanwhile: Mutter keeps CapsLock in two places, which differ from then on if a key that is Control on one layout
 * and CapsLock on the other is pressed between their changes.
 */
async function useLayout(
  used: Used,
  [code, letter]: Key,
  layout: string,
  ...options: string[]
): Promise<void> {
  used.gnome.useLayout(layout, ...options);
  await eventually(
    () => recordKeys(used, [[code, letter]]),
    (lines) =>
      lines.includes(`keycode ${keycodes.get(code)}`) &&
      lines.some((line) => line.startsWith('text ') && line.endsWith(letter)),
  );
}

test('letters arrive as the operator sees them, whichever side has CapsLock on', { skip }, async () => {
  await using used = await openUsed();
  const { gnome, press } = used;

  press(['CapsLock', 'CapsLock']);
  press(['NumLock', 'NumLock']);
  for (const key of 'aB1') press(['KeyA', key]);
  await until(gnome, 'text', 'aB1');
  gnome.pressCapsLock();
  await typesAs(used, [
    ['KeyX', 'x'],
    ['KeyY', 'Y'],
    ['Digit2', '2'],
    ['Quote', 'é'],
  ]);
});

test(
  'special keys and several held modifiers arrive as on a keyboard, and scrolling by parts of a notch',
  { skip },
  async () => {
    await using used = await openUsed();
    const { gnome, input, press } = used;
    const [control, shift, alt] = [
      ['ControlLeft', 'Control'],
      ['ShiftLeft', 'Shift'],
      ['AltLeft', 'Alt'],
    ] as const;
    // The dead key itself does nothing, because the browser gives the letter that it forms.
    press(['Equal', 'Dead']);
    for (const letter of 'éñ') press(['KeyE', letter]);
    await until(gnome, 'text', 'éñ');

    const before = linesOf(gnome, 'key').length;
    for (const name of ['F5', 'Home', 'End', 'PageUp', 'Delete', 'ArrowLeft']) press([name, name]);
    press(control, shift, ['ArrowLeft', 'ArrowLeft']);
    press(control, alt, shift, ['KeyP', 'P']);
    await until(gnome, 'key', 'P 13');
    const keys = linesOf(gnome, 'key').slice(before);

    assert.deepEqual(
      keys.filter((line) => !/key (Control|Shift|Alt)_L/.test(line)),
      [
        'key F5 0',
        'key Home 0',
        'key End 0',
        'key Page_Up 0',
        'key Delete 0',
        'key Left 0',
        'key Left 5',
        'key P 13',
      ],
    );
    input.pointer(300, 200, 0);
    await until(gnome, 'pointer', '300 200');
    for (const [x, y] of [
      [0, 240],
      [0, 30],
      [-45, 0],
    ] as const)
      input.wheel(x, y);
    // Distances that arrive together are one.
    const pixels = (axis: 0 | 1): number =>
      linesOf(gnome, 'scroll')
        .slice(2)
        .reduce((sum, line) => sum + Number(line.split(' ')[1 + axis]), 0);
    await eventually(
      () => [linesOf(gnome, 'scroll').slice(0, 2), pixels(0), pixels(1)],
      (found) => isDeepStrictEqual(found, [['scroll 0 1', 'scroll 0 1'], -3.75, 2.5]),
    );
  },
);

test(
  'with a German and a Russian layout, and with swapped keys, keys type what they show, other letters by their number',
  { skip },
  async () => {
    await using used = await openUsed();

    await useLayout(used, ['KeyZ', 'y'], 'de');
    await typesAs(used, [
      ['KeyZ', 'y'],
      ['KeyY', 'z'],
      ['BracketLeft', 'ü'],
      ['KeyQ', '@'],
      ['KeyE', '€'],
      ['Minus', 'ß'],
      ['Digit8', '['],
    ]);
    await useLayout(used, ['BracketLeft', '('], 'us', 'ctrl:swapcaps', 'parens:swap_brackets');
    // Mutter may lose a key while it reads the same layout again.
    await eventually(
      () => {
        used.press(['ControlLeft', 'Control'], ['KeyA', 'a']);
        return recordKeys(used, [['KeyC', 'c']]);
      },
      (lines) => lines.includes('key Control_L 0') && lines.includes('key a 4') && lines.includes('text c'),
    );
    await useLayout(used, ['Digit9', '('], 'ru');
    await typesAs(used, [
      ['KeyF', 'ф'],
      ['KeyV', 'М'],
      ['Digit1', '!'],
      ['Slash', '.'],
    ]);
  },
);
