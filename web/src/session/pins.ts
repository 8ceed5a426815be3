/** The keys by which this browser knows devices: a device that comes with another one is not believed by itself. */

export interface Pins {
  find(device: number): string | undefined;
  keep(device: number, key: string): void;
}

/** As localStorage is. */
export interface Drawer {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
}

const nameOf = (device: number): string => `drawbridge.device.${device}`;

/** The client of an invitation (device 0) makes a key for it alone: there is nothing to recognise. */
export const createPins = (drawer: Drawer): Pins => ({
  find: (device) => (device === 0 ? undefined : (drawer.getItem(nameOf(device)) ?? undefined)),
  keep: (device, key) => {
    if (device !== 0) drawer.setItem(nameOf(device), key);
  },
});
