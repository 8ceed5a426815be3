/** Example shell commands with the URL of this server, and its public key if its certificate is self-signed. */
import { curlPin } from '@drawbridge/contract/curl-pin';

export const keyPlaceholder = 'YOUR_KEY';

export interface ShellExample {
  id: 'devices' | 'invitation' | 'link' | 'history';
  line: string;
}

/** The address of the server, and what `me` says of its key. */
export interface ShownServer {
  public_url: string;
  key_pin: string;
}

export function curlExamples({ public_url, key_pin }: ShownServer, key: string): ShellExample[] {
  const line = (path: string, method = ''): string =>
    `curl${curlPin(key_pin)} ${method}-H 'X-Api-Key: ${key}' '${public_url}/v1/${path}'`;
  return [
    { id: 'devices', line: line('agents/list') },
    { id: 'invitation', line: line('support/create?client_name=Ann', '-X POST ') },
    { id: 'link', line: line('agents/connect?agent_id=1', '-X POST ') },
    { id: 'history', line: line('history/list?limit=20') },
  ];
}

export const cliExamples = (
  { public_url, key_pin }: ShownServer,
  key: string,
): { login: string; use: string } => ({
  login: `npx drawbridge login --server ${public_url} --key ${key}${key_pin && ` --fingerprint 'sha256//${key_pin}'`}`,
  use: 'npx drawbridge agents list',
});

/** For a certificate that an authority of the organisation has signed. */
export const trustOptions = { curl: '--cacert authority.pem', cli: '--ca authority.pem' } as const;
