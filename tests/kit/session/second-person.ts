/** The second person of a device with four eyes, at the real command line. */
import { saveApprovers } from '@drawbridge/agent/four-eyes/approvers';
import { runCli } from '@drawbridge/cli/run';
import { parseApproverKey } from '@drawbridge/contract/session/approval';
import type { TestAgent } from '../agent/agent.ts';
import type { TestPerson } from '../server/account.ts';
import type { TestService } from '../server/service.ts';

interface TypingPerson {
  service: TestService;
  person: TestPerson;
  /** What they enter as code of the operator. */
  answer?: string;
  /** What they type when they are asked for passphrases; those that were asked for are removed. */
  passphrases?: string[];
}

export async function runAsApprover(
  { service, person, answer = '', passphrases = [] }: TypingPerson,
  line: string[],
) {
  let [out, err] = ['', ''];
  const context = {
    env: {
      DRAWBRIDGE_SERVER: service.testClient.baseUrl,
      DRAWBRIDGE_API_KEY: person.apiKey,
      DRAWBRIDGE_CA: service.server.certificate.certFile,
    },
    folder: service.folder,
    home: service.folder,
    columns: Infinity,
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    input: async () => '',
    ask: async () => answer,
    askSecret: async () => passphrases.shift() ?? '',
    localServer: () => Promise.reject(new Error('the server is named')),
  };
  return { exit: await runCli(line, context), out, err };
}

/** Creates the key of the person, and turns four eyes on with it. */
export async function addApprover({ folder }: TestAgent, person: TypingPerson): Promise<void> {
  const { out } = await runAsApprover(person, ['approver', 'key', '--json']);
  const key = parseApproverKey((JSON.parse(out) as { key: string }).key)!;
  saveApprovers(folder, [{ name: person.person.email, key }]);
}
