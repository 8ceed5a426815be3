/** Ready-made lines for a shell, with the address of this server. */

export const placeholder = 'YOUR_KEY';

export interface Example {
  id: 'devices' | 'invitation' | 'link' | 'history';
  line: string;
}

export function curlLines(publicUrl: string, key: string): Example[] {
  const line = (path: string, method = ''): string =>
    `curl ${method}-H 'X-Api-Key: ${key}' '${publicUrl}/v1/${path}'`;
  return [
    { id: 'devices', line: line('agents/list') },
    { id: 'invitation', line: line('support/create?client_name=Ann', '-X POST ') },
    { id: 'link', line: line('agents/connect?agent_id=1', '-X POST ') },
    { id: 'history', line: line('history/list?limit=20') },
  ];
}

export const cliLines = (publicUrl: string, key: string): { login: string; use: string } => ({
  login: `npx drawbridge login --server ${publicUrl} --key ${key}`,
  use: 'npx drawbridge agents list',
});

export const trustLines = { curl: '--cacert cert.pem', cli: '--fingerprint YOUR_FINGERPRINT' } as const;
