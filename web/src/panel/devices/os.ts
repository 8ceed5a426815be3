/** The display names of operating systems. */
const names: Readonly<Record<string, string>> = {
  win: 'Windows',
  mac: 'macOS',
  linux: 'Linux',
  android: 'Android',
};

export const systems = Object.keys(names);

/** The display name; an unknown system keeps the name that the agent reported. */
export const osName = (os: string): string => (Object.hasOwn(names, os) ? names[os]! : os);
