/** Reads and parses the settings file, or returns one sentence that says why it could not. */
import { resolve } from 'node:path';

export type ReadFile = (path: string) => Promise<string>;

export interface SettingsFile {
  /** `drawbridge.toml`, or the path in DRAWBRIDGE_CONFIG. */
  name: string;
  values: Record<string, unknown>;
}

const defaultName = 'drawbridge.toml';

/** Resolves to the settings in the file (none when there is no file), or to the problem with it. */
export async function readSettingsFile(
  configPath: string | undefined,
  cwd: string,
  readFile: ReadFile,
): Promise<SettingsFile | { problem: string }> {
  const name = configPath ?? defaultName;
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
  // Most servers have no file and do not need the parser.
  const { parse: parseToml, TomlError } = await import('smol-toml');
  try {
    return { name, values: parseToml(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
    return { problem: `${name} is not valid TOML: line ${error.line}, ${reason}.` };
  }
}
