/**
 * Quick support with the program as it is shipped: what it needs on disk while it runs, and that it leaves
 * nothing behind.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { chownSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { createKeyPair } from '@drawbridge/session/node/crypto';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { closeDirectChannels, openDirectChannel } from '../../kit/session/direct-channel.ts';
import { answerOnDisplay } from '../../kit/display/answer-on-display.ts';
import { startDisplay } from '../../kit/display/display.ts';
import { startService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { postToSession, linkCode } from '../../kit/session/session-ends.ts';
import { connectOperator, type Operator } from '../../kit/session/operator.ts';
import { boundToParent, followProcess, type Program } from '../../kit/process.ts';
import { eventually } from '../../kit/eventually.ts';
import { buildSingleFile } from '../../kit/agent/single-file.ts';

const skip = skipWithout('Xvfb') || skipWithout('programs of a desktop') || skipWithout('curl');
after(closeDirectChannels);
/** The person who is helped is not root; if the tests are, the program runs as nobody. */
const nobody = 65_534;
const asSomebody =
  process.getuid?.() === 0 ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : [];

interface TraceFixture extends AsyncDisposable {
  /** The program itself, or the command on the page. */
  run(how: 'program' | 'line'): Program;
  /** An operator connects, and the person has to be asked on the display. */
  operator(): Promise<Operator>;
  /** Everything in the home and in the temporary folder of the person. */
  traces(): string[];
  /** The process of the program, while it runs from the person's folders. */
  pid(): number | undefined;
}

async function startTraceFixture(): Promise<TraceFixture> {
  const built = await buildSingleFile();
  const service = await startService({ realTime: true, env: { DRAWBRIDGE_DOWNLOADS: dirname(built) } });
  const { owner } = await service.account();
  const { id: connection_id, invite_code: code } = (await owner.call('support/create')).body['data'];
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-traces-'));
  const [own, home, temporary] = ['own', 'home', 'temporary'].map((name) => join(folder, name));
  for (const each of [folder, own!, home!, temporary!]) {
    mkdirSync(each, { recursive: true });
    if (asSomebody.length > 0) chownSync(each, nobody, nobody);
  }
  copyFileSync(built, join(own!, 'drawbridge-agent'));
  const { text } = await service.testClient.send({ path: '/download/join.json' });
  const { line } = JSON.parse(text) as { line: string };
  const fingerprint = createHash('sha256')
    .update(new X509Certificate(service.testClient.ca).raw)
    .digest('hex');
  const commands = {
    program: `exec ${own}/drawbridge-agent join ${code} --server ${service.server.config.publicUrl} --fingerprint ${fingerprint}`,
    line: line.replace('CODE', code),
  };
  return {
    run(how) {
      const [program, args] = boundToParent('setsid', ['sh', '-c', commands[how]]);
      const [first, ...rest] = [...asSomebody, program, ...args];
      const child = spawn(first!, rest, {
        cwd: own,
        env: {
          PATH: process.env['PATH'],
          DISPLAY: process.env['DISPLAY'],
          HOME: home,
          TMPDIR: temporary,
          DRAWBRIDGE_AGENT_HARMLESS: '1',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return followProcess(child);
    },
    async operator() {
      const sessionKey = createKeyPair();
      const { url } = (await owner.call('support/connect', { connection_id })).body['data'];
      const answer = await postToSession(service, 'open', { code: linkCode(url), key: sessionKey.publicKey });
      const opened = JSON.parse(answer.text) as OpenReply;
      return connectOperator({
        ...opened,
        serverKey: opened.server_key,
        deviceKey: opened.device.key!,
        sessionKey,
      });
    },
    traces: () => [home!, temporary!].flatMap((each) => readdirSync(each, { recursive: true }) as string[]),
    pid: () => processIn(folder),
    async [Symbol.asyncDispose]() {
      const left = processIn(folder);
      if (left !== undefined) process.kill(left, 'SIGKILL');
      await service[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function processIn(folder: string): number | undefined {
  const isThere = (pid: string): boolean => {
    try {
      return readlinkSync(`/proc/${pid}/exe`).startsWith(folder);
    } catch {
      return false;
    }
  };
  return Number(readdirSync('/proc').find((name) => /^\d+$/.test(name) && isThere(name))) || undefined;
}

/** Runs until an operator sees the screen over a direct connection, for which the program needs its native parts. */
async function untilUnpacked(fixture: TraceFixture, program: Program): Promise<void> {
  await program.until(/Waiting/);
  await using operator = await fixture.operator();
  const isLive = (): boolean => operator.messages('state').some(({ phase }) => phase === 'live');
  await answerOnDisplay('Allow', isLive);
  operator.sendMessage('view', { video: false, fresh: true });
  await eventually(fixture.traces, (traces) => traces.some((path) => /native\/.+\.node$/.test(path)));
  using channel = await openDirectChannel(operator);
  channel.move();
  await operator.until('direct', ({ moved }) => moved === 'direct');
}

test('the program unpacks into a folder that is removed after Ctrl+C', { skip }, async () => {
  await using _display = await startDisplay(800, 600);
  await using fixture = await startTraceFixture();
  await using program = fixture.run('program');
  await untilUnpacked(fixture, program);

  assert.equal(await program.end('SIGINT'), 0);
  assert.deepEqual(fixture.traces(), []);
});

test('the next run removes what a killed one has left', { skip }, async () => {
  await using _display = await startDisplay(800, 600);
  await using fixture = await startTraceFixture();
  const first = fixture.run('program');
  await untilUnpacked(fixture, first);
  await first.end('SIGKILL');
  const left = fixture.traces();

  // For a while the code still belongs to the first run.
  await using second = fixture.run('program');
  await second.until(/Someone else has already joined|Waiting/);
  await second.end('SIGINT');

  assert.ok(left.length > 0);
  assert.deepEqual(fixture.traces(), []);
});

test('the command on the page leaves nothing, even if the program is killed', { skip }, async () => {
  await using _display = await startDisplay(800, 600);
  await using fixture = await startTraceFixture();
  await using shell = fixture.run('line');
  await untilUnpacked(fixture, shell);

  process.kill(fixture.pid()!, 'SIGKILL');
  await shell.end('SIGCONT');
  assert.deepEqual(fixture.traces(), []);
});
