/** Uses the double of desktop duplication from a program on Windows, which has the library beside it. */
import { dirname, join } from 'node:path';
import type { WindowsApi } from '@drawbridge/agent/platform/windows/api/windows-api';

export interface DuplicationDouble {
  /** The functions of Windows, with those of the double where it has them. */
  api: WindowsApi;
  /** Plays a monitor at this place of the desktop; the last number counts the monitors. */
  setMonitor(number: number, x: number, y: number, width: number, height: number): void;
  paint(number: number, x: number, y: number, width: number, height: number, colour: number): void;
  /** Moves content of the first monitor down by its own height. */
  move(x: number, y: number, width: number, height: number): void;
  movePointer(): void;
  /** Lets the next frame fail with this code. */
  fail(code: number): void;
  /** Lets each duplication of a monitor fail with this code, until it is 0. */
  refuse(code: number): void;
  /** How many references to its objects were not released. */
  live(): number;
  /** How often a monitor was duplicated. */
  duplications(): number;
  /** How often that failed. */
  refusals(): number;
  /** How many frames were taken and given back, and from how many of them pixels were copied. */
  frames(): number;
  copies(): number;
}

export function loadDouble(api: WindowsApi): DuplicationDouble {
  const library = api.koffi.load(join(dirname(process.argv[1]!), 'double.dll'));
  const asWindows = (definition: string): typeof api.CreateDXGIFactory1 => {
    const call = library.func(definition);
    const async = (...values: unknown[]): Promise<number> =>
      new Promise((resolve, reject) =>
        call.async(...values, (error: Error | null, result: number) =>
          error ? reject(error) : resolve(result),
        ),
      );
    return Object.assign((...values: unknown[]) => call(...values) as number, { async });
  };
  return {
    api: {
      ...api,
      CreateDXGIFactory1: asWindows('int __stdcall doubleFactory(void*, void*)'),
      D3D11CreateDevice: asWindows(
        'int __stdcall doubleDevice(uintptr, int, uintptr, uint, void*, uint, uint, void*, void*, void*)',
      ),
    },
    setMonitor: library.func('void __stdcall doubleMonitor(uint, int, int, uint, uint)'),
    paint: library.func('void __stdcall doublePaint(uint, uint, uint, uint, uint, uint)'),
    move: library.func('void __stdcall doubleMove(uint, uint, uint, uint)'),
    movePointer: library.func('void __stdcall doublePointer()'),
    fail: library.func('void __stdcall doubleFail(int)'),
    refuse: library.func('void __stdcall doubleRefuse(int)'),
    live: library.func('int __stdcall doubleLive()'),
    duplications: library.func('int __stdcall doubleDuplications()'),
    refusals: library.func('int __stdcall doubleRefusals()'),
    frames: library.func('int __stdcall doubleFrames()'),
    copies: library.func('int __stdcall doubleCopies()'),
  };
}
