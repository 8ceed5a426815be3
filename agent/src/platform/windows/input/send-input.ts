/** Simulates single events of keyboard and mouse. */
import type { WindowsApi } from '../api/windows-api.ts';

/** Offsets in INPUT. */
const record = {
  bytes: 40,
  kind: 0,
  dx: 8,
  dy: 12,
  data: 16,
  mouseFlags: 20,
  key: 8,
  scan: 10,
  keyFlags: 12,
} as const;
const kinds = { mouse: 0, keyboard: 1 } as const;
const keyFlags = { extended: 1, up: 2, unicode: 4 } as const;

export interface KeyEvent {
  virtualKey: number;
  scanCode: number;
  isExtended: boolean;
  down: boolean;
}

export function sendKey(api: WindowsApi, { virtualKey, scanCode, isExtended, down }: KeyEvent): void {
  const event = Buffer.alloc(record.bytes);
  event.writeUInt32LE(kinds.keyboard, record.kind);
  event.writeUInt16LE(virtualKey, record.key);
  event.writeUInt16LE(scanCode & 0xffff, record.scan);
  event.writeUInt32LE((isExtended ? keyFlags.extended : 0) | (down ? 0 : keyFlags.up), record.keyFlags);
  api.SendInput(1, event, record.bytes);
}

/** Types a character that need not be on any key. */
export function sendCharacter(api: WindowsApi, character: string): void {
  for (let index = 0; index < character.length; index += 1)
    for (const up of [0, keyFlags.up]) {
      const event = Buffer.alloc(record.bytes);
      event.writeUInt32LE(kinds.keyboard, record.kind);
      event.writeUInt16LE(character.charCodeAt(index), record.scan);
      event.writeUInt32LE(keyFlags.unicode | up, record.keyFlags);
      api.SendInput(1, event, record.bytes);
    }
}

export interface MouseEvent {
  flags: number;
  dx?: number;
  dy?: number;
  data?: number;
}

export function sendMouse(api: WindowsApi, { flags, dx = 0, dy = 0, data = 0 }: MouseEvent): void {
  const event = Buffer.alloc(record.bytes);
  event.writeUInt32LE(kinds.mouse, record.kind);
  event.writeInt32LE(dx, record.dx);
  event.writeInt32LE(dy, record.dy);
  event.writeInt32LE(data, record.data);
  event.writeUInt32LE(flags, record.mouseFlags);
  api.SendInput(1, event, record.bytes);
}
