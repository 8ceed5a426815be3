/** Signs the agent for Windows with the certificate of the people who build it, if they name one. */
import { spawnSync } from 'node:child_process';
import { rename } from 'node:fs/promises';

/** Whether a certificate is set: DRAWBRIDGE_SIGN_PKCS12 is its file with the key, DRAWBRIDGE_SIGN_PASSWORD_FILE holds its password. */
export const isSigning = (env: NodeJS.ProcessEnv): boolean => Boolean(env['DRAWBRIDGE_SIGN_PKCS12']);

/** DRAWBRIDGE_SIGN_TIMESTAMP is the address of a timestamp service, which keeps the signature valid after the certificate expires. */
export async function signExecutable(file: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { DRAWBRIDGE_SIGN_PASSWORD_FILE: password, DRAWBRIDGE_SIGN_TIMESTAMP: timestamp } = env;
  const options = [...(password ? ['-readpass', password] : []), ...(timestamp ? ['-ts', timestamp] : [])];
  const args = ['sign', '-h', 'sha256', '-pkcs12', env['DRAWBRIDGE_SIGN_PKCS12']!, ...options];
  args.push('-n', 'Drawbridge agent', '-in', file, '-out', `${file}.signed`);
  const { status, stdout, stderr, error } = spawnSync('osslsigncode', args, { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`osslsigncode could not sign the file: ${error?.message ?? `${stderr}${stdout}`.trim()}`);
  await rename(`${file}.signed`, file);
}
