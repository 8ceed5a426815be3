/** Tests of the mouse buttons that the agent presses on Windows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WindowsApi } from '../api/windows-api.ts';
import { mode } from '../screen/outputs.ts';
import { openInput } from './input.ts';

const names: Record<number, string> = {
  0x02: '+left',
  0x04: '-left',
  0x08: '+right',
  0x10: '-right',
  0x20: '+middle',
  0x40: '-middle',
  0x80: '+further',
  0x100: '-further',
};
const [left, middle, right, back] = [1, 2, 4, 8];

/** A Windows of an ordinary user, and the buttons of its mouse that were pressed and released. */
function createMouse({ isSwapped }: { isSwapped: boolean }) {
  const mouse = { isSwapped, events: [] as string[] };
  const api = {
    OpenProcessToken: () => 0,
    EnumDisplayDevicesW(_parent: null, index: number, place: Buffer) {
      place.writeUInt32LE(1, 324);
      return index === 0 ? 1 : 0;
    },
    EnumDisplaySettingsExW(_device: string, _index: number, place: Buffer) {
      place.writeUInt32LE(800, mode.width);
      place.writeUInt32LE(600, mode.height);
      return 1;
    },
    GetSystemMetrics: (which: number) => (which === 23 && mouse.isSwapped ? 1 : 0),
    SendInput(_count: number, event: Buffer) {
      const name = names[event.readUInt32LE(20)];
      if (name) mouse.events.push(name);
      return 1;
    },
  } as unknown as WindowsApi;
  return { mouse, input: openInput(api) };
}

for (const isSwapped of [false, true])
  test(`the operator's left button is the main one, ${isSwapped ? 'also' : 'not'} if the person has swapped them`, () => {
    const { mouse, input } = createMouse({ isSwapped });

    for (const buttons of [left, 0, right, 0, middle, 0, back, 0]) input.pointer(1, 1, buttons);

    const [main, other] = isSwapped ? ['right', 'left'] : ['left', 'right'];
    const pressed = [main, other, 'middle', 'further'];
    assert.deepEqual(
      mouse.events,
      pressed.flatMap((name) => [`+${name}`, `-${name}`]),
    );
  });

test('a button is released as it was pressed, although the person swaps the buttons meanwhile', () => {
  const { mouse, input } = createMouse({ isSwapped: false });
  input.pointer(1, 1, left);
  mouse.isSwapped = true;
  input.pointer(1, 1, left | right);
  input.reset();
  input.pointer(1, 1, left);

  assert.deepEqual(mouse.events, ['+left', '+right', '-left', '-right', '+right']);
});
