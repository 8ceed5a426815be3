/** Keyboard and wheel of an operator on a real GNOME desktop: locks, layouts, special keys, held modifiers, and scrolling by pixels. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import type { DesktopInput } from '@drawbridge/agent/platform/desktop';
import { startGnome, type Gnome } from '../../../kit/display/gnome.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';

const skip = skipWithout('GNOME');

interface Used extends AsyncDisposable {
  gnome: Gnome;
  input: DesktopInput;
  /** Presses keys together, each given as code and key, and releases them. */
  press(...keys: readonly (readonly [code: string, key: string])[]): void;
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

/** Types until the desktop uses the layout, which takes some time, and empties the text field before each trial. */
async function typesAs(
  { gnome, press }: Used,
  letters: readonly (readonly [string, string])[],
): Promise<void> {
  const wanted = letters.map(([, key]) => key).join('');
  await eventually(
    async () => {
      press(['ControlLeft', 'Control'], ['KeyA', 'a']);
      for (const each of letters) press(each);
      press(['End', 'End']);
      await until(gnome, 'key', 'End 0');
      return linesOf(gnome, 'text').at(-1);
    },
    (last) => last === `text ${wanted}`,
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

    used.gnome.useLayout('de');
    await typesAs(used, [
      ['KeyZ', 'y'],
      ['KeyY', 'z'],
      ['BracketLeft', 'ü'],
      ['KeyQ', '@'],
      ['KeyE', '€'],
      ['Minus', 'ß'],
      ['Digit8', '['],
    ]);
    used.gnome.useLayout('us', 'ctrl:swapcaps');
    await typesAs(used, [['KeyC', 'c']]);
    used.gnome.useLayout('ru');
    await typesAs(used, [
      ['KeyF', 'ф'],
      ['KeyV', 'М'],
      ['Digit1', '!'],
      ['Slash', '.'],
    ]);
  },
);
