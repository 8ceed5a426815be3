/** Example shell commands with the URL of this server. */

export const keyPlaceholder = 'YOUR_KEY';

export interface ShellExample {
  id: 'devices' | 'invitation' | 'link' | 'history';
  line: string;
}

export function curlExamples(publicUrl: string, key: string): ShellExample[] {
  const line = (path: string, method = ''): string =>
    `curl ${method}-H 'X-Api-Key: ${key}' '${publicUrl}/v1/${path}'`;
  return [
    { id: 'devices', line: line('agents/list') },
    { id: 'invitation', line: line('support/create?client_name=Ann', '-X POST ') },
    { id: 'link', line: line('agents/connect?agent_id=1', '-X POST ') },
    { id: 'history', line: line('history/list?limit=20') },
  ];
}

export const cliExamples = (publicUrl: string, key: string): { login: string; use: string } => ({
  login: `npx drawbridge login --server ${publicUrl} --key ${key}`,
  use: 'npx drawbridge agents list',
});

export const trustOptions = { curl: '--cacert cert.pem', cli: '--fingerprint YOUR_FINGERPRINT' } as const;
