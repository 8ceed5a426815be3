/** Makes a runtime ignore the environment variables that load code, stop the process, or make it write files. */
import { readFile, writeFile } from 'node:fs/promises';

/**
 * `NODE_OPTIONS` is not listed because the settings of the executable disable it. The variables for trusted authorities
 * (`NODE_EXTRA_CA_CERTS`, `SSL_CERT_FILE`) are not listed because people use them.
 */
export const closedVariables = [
  'NODE_REPL_EXTERNAL_MODULE',
  'NODE_CHANNEL_FD',
  'NODE_COMPILE_CACHE',
  'NODE_DEBUG',
  'NODE_ICU_DATA',
  'NODE_REDIRECT_WARNINGS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'NODE_V8_COVERAGE',
  'OPENSSL_CONF',
  'OPENSSL_CONF_INCLUDE',
  'OPENSSL_ENGINES',
  'OPENSSL_MODULES',
] as const;

/** No environment variable can have a name that starts with this. */
const unsettable = '=';

/** In the runtime's own scripts, a variable becomes a property that the process id, a number, does not have. */
const read = 'process.env.';
const readNothing = 'process.pid.';

/** Renames the variables in the executable. Throws if one is missing, because the runtime then reads it differently. */
export async function closeRuntime(file: string): Promise<void> {
  const bytes = await readFile(file);
  for (const name of closedVariables) {
    const names = placesOf(bytes, `\0${name}\0`);
    const reads = placesOf(bytes, `${read}${name}`).filter((at) =>
      isWholeName(bytes, at + read.length, name),
    );
    if (names.length + reads.length === 0) throw new Error(`The runtime does not contain the name ${name}.`);
    for (const at of names) bytes.write(unsettable, at + 1, 'latin1');
    for (const at of reads) bytes.write(readNothing, at, 'latin1');
  }
  await writeFile(file, bytes);
}

function placesOf(bytes: Buffer, text: string): number[] {
  const wanted = Buffer.from(text, 'latin1');
  const places: number[] = [];
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) places.push(at);
  return places;
}

const isWholeName = (bytes: Buffer, at: number, name: string): boolean =>
  !/\w/.test(String.fromCharCode(bytes[at + name.length]!));
