/**
 * A real agent in its own process, on its own display, and operators who reach it through a real server: a
 * device seen from outside.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Permission } from '@drawbridge/contract/permissions';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { createKeyPair } from '@drawbridge/session/node/crypto';
import type { TestPerson, TestAccount } from '../server/account.ts';
import { openTypingTerminal, type TypingTerminal } from '../display/desktop-programs.ts';
import { openDirectChannel } from '../session/direct-channel.ts';
import { startDisplay, type TestDisplay } from '../display/display.ts';
import { listDevices, createEnrolToken } from '../server/enrolment.ts';
import { setGamma } from '../display/gamma.ts';
import { startService, type TestService } from '../server/service.ts';
import { postToSession, linkCode } from '../session/session-ends.ts';
import { connectOperator, type Operator } from '../session/operator.ts';
import { startAgentProcess, type Program } from '../process.ts';
import { eventually } from '../eventually.ts';

export interface AgentFixture extends AsyncDisposable {
  service: TestService;
  account: TestAccount;
  display: TestDisplay;
  agent: Program;
  device: number;
  /** The folder the agent opens to operators, and its home folder. */
  folder: string;
  writer: TypingTerminal;
  /** Creates a member whose only role has these permissions. */
  person(permissions: readonly Permission[]): Promise<TestPerson>;
  /** Opens one of the member's links; returns the server's response if it is refused. */
  open(person: TestPerson, confirms?: boolean): Promise<Operator | { refused: string }>;
}

export async function openAgentFixture(): Promise<AgentFixture> {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-box-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const service = opened.use(await startService({ realTime: true }));
  const display = opened.use(await startDisplay(1_024, 768));
  // Until a value is set, the display counts as blacked out.
  await setGamma(display, 51_000);
  const writer = opened.use(await openTypingTerminal());
  const account = await service.account();
  const env = [`DISPLAY=${display.name}`, `HOME=${folder}`, `DRAWBRIDGE_AGENT_FILES=${folder}`];
  const token = await createEnrolToken(account.owner);
  const agent = opened.use(
    startAgentProcess(service.testClient.baseUrl, token, ['env', ...env, 'LC_ALL=C.UTF-8', 'SHELL=/bin/sh']),
  );
  const [found] = await eventually(
    () => listDevices(account.owner),
    ([first]) => first?.online === true,
    30_000,
  );
  const device = found!.id;
  const all = opened.move();
  const fixture = { service, account, display, agent, device, folder, writer };
  return {
    ...fixture,
    async person(permissions) {
      const person = await account.member();
      await account.grant(person, { type: 'agent', agentId: device, permissions: [...permissions] });
      return person;
    },
    open: (person, confirms = true) => openSession(fixture, person, confirms),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function openSession(
  { service, device }: Pick<AgentFixture, 'service' | 'device'>,
  person: TestPerson,
  confirms: boolean,
): Promise<Operator | { refused: string }> {
  const { body } = await person.call('agents/connect', { agent_id: device });
  if (!body['data']) return { refused: JSON.stringify(body) };
  const sessionKey = createKeyPair();
  const answer = await postToSession(service, 'open', {
    code: linkCode(body['data'].url),
    key: sessionKey.publicKey,
  });
  if (answer.http !== 200) return { refused: answer.text };
  const opened = JSON.parse(answer.text) as OpenReply;
  const { relay, ticket, pair, server_key: serverKey } = opened;
  const deviceKey = opened.device.key!;
  return connectOperator({ relay, ticket, pair, serverKey, deviceKey, sessionKey }, confirms);
}

export interface DirectOperator extends AsyncDisposable {
  operator: Operator;
}

/**
 * Leaves the relay, which forwards only what is permitted: from here on only the agent checks permissions.
 */
export async function openDirectOperator(open: () => Promise<Operator>): Promise<DirectOperator> {
  await using opened = new AsyncDisposableStack();
  const operator = opened.use(await open());
  const channel = opened.use(await openDirectChannel(operator));
  channel.move();
  await operator.until('direct', ({ moved }) => moved === 'direct');
  const all = opened.move();
  return { operator, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
