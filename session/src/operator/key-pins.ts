/** The keys by which this browser knows devices. A device with another key is not trusted automatically. */

export interface KeyPins {
  find(device: number): string | undefined;
  pin(device: number, key: string): void;
}

/** The part of `localStorage` that is needed. */
export interface KeyValueStorage {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
}

const storageKeyOf = (device: number): string => `drawbridge.device.${device}`;

/** The client of an invitation (device 0) creates a key for it alone: there is nothing to recognise. */
export const createKeyPins = (storage: KeyValueStorage): KeyPins => ({
  find: (device) => (device === 0 ? undefined : (storage.getItem(storageKeyOf(device)) ?? undefined)),
  pin: (device, key) => {
    if (device !== 0) storage.setItem(storageKeyOf(device), key);
  },
});
