/** Which keys of the device's keyboard layout type a character. */
import type { Handle, WindowsApi } from '../api/windows-api.ts';

/** A key that types a character while exactly these modifiers are held. */
export interface LayoutKey {
  code: number;
  shift: boolean;
  /** Control or Alt, which together are AltGr. */
  further: boolean;
  isDead: boolean;
}

export interface KeyLayout {
  find(character: string): LayoutKey | undefined;
  /** The number that a keyboard sends for a virtual key. */
  scanCode(virtualKey: number): number;
}

const notFound = -1;
const mapKinds = { scanCode: 0, character: 2 } as const;
const deadBit = 0x8000_0000;

/** The layout of the program that receives the input, because each program can have its own. */
export function currentLayout(api: WindowsApi): KeyLayout {
  const thread = api.GetWindowThreadProcessId(api.GetForegroundWindow(), null);
  const layout: Handle = api.GetKeyboardLayout(thread);
  const map = (virtualKey: number, kind: number): number => api.MapVirtualKeyExW(virtualKey, kind, layout);
  return {
    find(character) {
      if (character.length !== 1) return undefined;
      const found = api.VkKeyScanExW(character.charCodeAt(0), layout);
      if (found === notFound) return undefined;
      const code = found & 0xff;
      const isDead = (map(code, mapKinds.character) & deadBit) !== 0;
      return { code, shift: (found & 0x100) !== 0, further: (found & 0x600) !== 0, isDead };
    },
    scanCode: (virtualKey) => map(virtualKey, mapKinds.scanCode),
  };
}
