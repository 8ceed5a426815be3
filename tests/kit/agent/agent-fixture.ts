/** A real agent as a process of its own, on a display of its own, and operators who reach it through a real server: a device seen from outside. */
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
  /** All that its files are for operators, and its home. */
  folder: string;
  writer: TypingTerminal;
  /** Somebody new whose only role has these permissions. */
  person(permissions: readonly Permission[]): Promise<TestPerson>;
  /** Opens a link of theirs; the answer of the server where that is refused. */
  open(person: TestPerson, confirms?: boolean): Promise<Operator | { refused: string }>;
}

export async function openAgentFixture(): Promise<AgentFixture> {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-box-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const service = opened.use(await startService({ realTime: true }));
  const display = opened.use(await startDisplay(1_024, 768));
  // Until something is set, it is as if somebody had blacked it out.
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
  return {
    service,
    account,
    display,
    agent,
    device,
    folder,
    writer,
    async person(permissions) {
      const person = await account.member();
      await account.grant(person, { type: 'agent', agentId: device, permissions: [...permissions] });
      return person;
    },
    async open(person, confirms = true) {
      const { body } = await person.call('agents/connect', { agent_id: device });
      if (!body['data']) return { refused: JSON.stringify(body) };
      const sessionKey = createKeyPair();
      const answer = await postToSession(service, 'open', {
        code: linkCode(body['data'].url),
        key: sessionKey.publicKey,
      });
      if (answer.http !== 200) return { refused: answer.text };
      const {
        relay,
        ticket,
        pair,
        server_key: serverKey,
        device: with_,
      } = JSON.parse(answer.text) as OpenReply;
      return connectOperator({ relay, ticket, pair, serverKey, deviceKey: with_.key!, sessionKey }, confirms);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** A busy machine loses packets of a handshake: then it is sooner begun again than waited for. */
const [tries, directTimeoutMs] = [4, 8_000];

export interface DirectOperator extends AsyncDisposable {
  operator: Operator;
}

/** Leaves the relay, which lets nothing through that is not allowed: from here on the agent is all that stands in the way. */
export async function openDirectOperator(
  open: () => Promise<Operator>,
  left = tries,
): Promise<DirectOperator> {
  await using opened = new AsyncDisposableStack();
  const operator = opened.use(await open());
  const channel = await openDirectChannel(operator, directTimeoutMs).catch((error: unknown) => {
    if (left === 1) throw error;
  });
  if (!channel) return openDirectOperator(open, left - 1);
  opened.use(channel);
  channel.move();
  await operator.until('direct', ({ moved }) => moved === 'direct');
  const all = opened.move();
  return { operator, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
