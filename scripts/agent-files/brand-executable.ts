/** Gives a Windows executable the name, version and icon of the agent, and removes the signature of the runtime. */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What is used of resedit. Its own types would declare the types of browsers for all our code. */
interface Resedit {
  NtExecutable: { from(bytes: Buffer, options: { ignoreCert: boolean }): Executable };
  NtExecutableResource: { from(executable: Executable): Resources };
  Resource: {
    VersionInfo: { fromEntries(entries: unknown[]): VersionInfo[] };
    IconGroupEntry: {
      replaceIconsForResource(entries: unknown[], id: number, language: number, icons: unknown[]): void;
    };
  };
  Data: { IconFile: { from(bytes: Buffer): { icons: { data: unknown }[] } } };
}
interface Executable {
  generate(): ArrayBuffer;
}
interface Resources {
  entries: unknown[];
  outputResource(executable: Executable): void;
}
interface VersionInfo {
  setStringValues(language: { lang: number; codepage: number }, values: Record<string, string>): void;
  setFileVersion(major: number, minor: number, patch: number, build: number): void;
  setProductVersion(major: number, minor: number, patch: number, build: number): void;
  outputToResourceEntries(entries: unknown[]): void;
}

const require = createRequire(import.meta.url);

const iconFile = join(import.meta.dirname, 'icon.ico');
const english = 1033;
const unicode = 1200;
const iconGroup = 1;

/** The description is what Windows shows in its list of processes and in questions about elevated rights. */
const texts = {
  ProductName: 'Drawbridge',
  FileDescription: 'Drawbridge agent',
  CompanyName: 'Drawbridge',
  InternalName: 'drawbridge-agent',
  OriginalFilename: 'drawbridge-agent.exe',
  LegalCopyright: 'AGPL-3.0-only. Contains Node.js, MIT license.',
};

export async function brandExecutable(file: string, version: string): Promise<void> {
  const { NtExecutable, NtExecutableResource, Resource, Data } = require('resedit') as Resedit;
  const executable = NtExecutable.from(await readFile(file), { ignoreCert: true });
  const resources = NtExecutableResource.from(executable);
  const [info] = Resource.VersionInfo.fromEntries(resources.entries);
  if (!info) throw new Error(`${file} has no version information.`);
  const language = { lang: english, codepage: unicode };
  info.setStringValues(language, { ...texts, FileVersion: version, ProductVersion: version });
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number);
  info.setFileVersion(major, minor, patch, 0);
  info.setProductVersion(major, minor, patch, 0);
  info.outputToResourceEntries(resources.entries);
  const { icons } = Data.IconFile.from(await readFile(iconFile));
  const pictures = icons.map(({ data }) => data);
  Resource.IconGroupEntry.replaceIconsForResource(resources.entries, iconGroup, english, pictures);
  resources.outputResource(executable);
  await writeFile(file, Buffer.from(executable.generate()));
}
