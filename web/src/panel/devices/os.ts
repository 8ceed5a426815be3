/** What the systems are called. */
const names: Readonly<Record<string, string>> = {
  win: 'Windows',
  mac: 'macOS',
  linux: 'Linux',
  android: 'Android',
};

export const systems = Object.keys(names);

/** The name of a system; as it was told where it is none of ours. */
export const osName = (os: string): string => (Object.hasOwn(names, os) ? names[os]! : os);
