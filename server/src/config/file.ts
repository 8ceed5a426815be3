/** The settings file: found, read and taken apart, or one sentence saying why not. */
import { resolve } from 'node:path';

export type ReadFile = (path: string) => Promise<string>;

export interface SettingsFile {
  /** As people know it: `drawbridge.toml`, or the path that DRAWBRIDGE_CONFIG gives. */
  name: string;
  values: Record<string, unknown>;
}

const usualName = 'drawbridge.toml';

/** The file's settings (none when there is no file), or the problem with it. */
export async function readSettingsFile(
  configPath: string | undefined,
  cwd: string,
  readFile: ReadFile,
): Promise<SettingsFile | { problem: string }> {
  const name = configPath ?? usualName;
  const text = await readFile(resolve(cwd, name)).catch((error: NodeJS.ErrnoException) => ({
    code: error.code,
  }));
  if (typeof text === 'string') return parse(name, text);
  if (text.code === 'ENOENT' && configPath === undefined) return { name, values: {} };
  const why = text.code === 'ENOENT' ? 'does not exist' : `could not be read (${text.code})`;
  return {
    problem:
      configPath === undefined
        ? `${name} ${why}.`
        : `DRAWBRIDGE_CONFIG must be the path of a settings file; ${name} ${why}.`,
  };
}

async function parse(name: string, text: string): Promise<SettingsFile | { problem: string }> {
  // Most servers have no file: they need not load the parser.
  const { parse: parseToml, TomlError } = await import('smol-toml');
  try {
    return { name, values: parseToml(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
    return { problem: `${name} is not valid TOML: line ${error.line}, ${reason}.` };
  }
}
