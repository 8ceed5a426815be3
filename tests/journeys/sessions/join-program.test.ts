/**
 * Quick support with the downloaded program: `drawbridge agent join CODE` on a real display leaves nothing
 * behind.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createKeyPair } from '@drawbridge/session/node/crypto';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { closeDirectChannels, openDirectChannel } from '../../kit/session/direct-channel.ts';
import { uploadToDevice } from '../../kit/session/transfer-file.ts';
import { answerOnDisplay } from '../../kit/display/answer-on-display.ts';
import { startDisplay } from '../../kit/display/display.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { postToSession, linkCode } from '../../kit/session/session-ends.ts';
import { connectOperator, type Operator } from '../../kit/session/operator.ts';
import { startProgram, type Program } from '../../kit/process.ts';
import { eventually } from '../../kit/eventually.ts';

const skip = skipWithout('Xvfb') || skipWithout('programs of a desktop');
after(closeDirectChannels);

interface ProgramFixture extends AsyncDisposable {
  service: TestService;
  code: string;
  /** SHA-256 of the server's certificate, as the server prints it. */
  fingerprint: string;
  status(wanted: number): Promise<Record<string, unknown>>;
  /** Runs the program with a separate home and temporary folder. */
  run(args?: readonly string[], env?: Record<string, string>): Program;
  /** What the program has left in its folders. */
  left(): string[];
  /** The operator opens a link and connects to the relay. */
  operator(): Promise<Operator>;
  /** The bytes of the session, once it has ended. */
  counted(): Promise<number>;
  close(): Promise<unknown>;
}

async function startProgramFixture(env: Record<string, string> = {}): Promise<ProgramFixture> {
  const service = await startService({ realTime: true, env });
  const { owner } = await service.account();
  const { id: connection_id, invite_code: code } = (
    await owner.call('support/create', { client_name: 'Anna' })
  ).body['data'];
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-join-'));
  const info = async (): Promise<Record<string, unknown>> =>
    (await owner.call('support/info', { connection_id })).body['data'];
  const { raw } = new X509Certificate(service.testClient.ca);
  const fingerprint = createHash('sha256').update(raw).digest('hex');
  const { publicUrl } = service.server.config;
  return {
    service,
    code,
    fingerprint,
    status: (wanted) => eventually(info, ({ status }) => status === wanted),
    run: (args = ['join', code, '--server', publicUrl, '--fingerprint', fingerprint], more = {}) =>
      startProgram('agent/src/main.ts', ['agent', ...args], {
        HOME: folder,
        TMPDIR: folder,
        DRAWBRIDGE_AGENT_HARMLESS: '1',
        ...(process.env['DISPLAY'] !== undefined && { DISPLAY: process.env['DISPLAY'] }),
        ...more,
      }),
    left: () => readdirSync(folder, { recursive: true }) as string[],
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
    async counted() {
      const { bytes } = await eventually(
        async () => (await owner.call('history/list')).body['data'][0] as { bytes: number; stop?: number },
        ({ stop }) => stop !== undefined,
      );
      return bytes;
    },
    close: () => owner.call('support/close', { connection_id }),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const phases = (operator: Operator): string[] => operator.messages('state').map(({ phase }) => phase);

test(
  'the program asks on the display, gives full control, and leaves nothing behind after Ctrl+C',
  { skip },
  async () => {
    await using _display = await startDisplay(1_000, 700);
    await using fixture = await startProgramFixture();
    await using program = fixture.run();
    await program.until(/Invited by owner-\S+\. Waiting/);
    const { client_os: os } = await fixture.status(1);
    await using operator = await fixture.operator();
    await answerOnDisplay('Allow', () => phases(operator).length > 1);

    const state = await operator.until('state', ({ phase }) => phase === 'live');
    operator.sendMessage('view', { video: false, fresh: true });
    const { width, height } = await operator.until('layout');
    await eventually(() => operator.received.some(({ kind }) => kind === 'tiles'), Boolean);
    await program.until(/owner-\S+ \(127\.0\.0\.1\) is connected/);
    const { client_preview_url: url } = await fixture.status(2);
    const { pathname } = new URL(String(url));
    await eventually(
      async () => (await fixture.service.testClient.send({ path: pathname })).headers['content-type'],
      (type) => type === 'image/png',
    );
    const exit = await program.end('SIGINT');
    const end = await operator.until('end');

    assert.deepEqual([os, width, height, exit], ['linux', 1_000, 700, 0]);
    for (const permission of [
      'agent_connect',
      'agent_control',
      'agent_file_transfer',
      'agent_terminal_mode',
      'agent_chat',
    ])
      assert.ok(state.permissions.includes(permission), permission);
    assert.match(end.message, /ended the session/);
    assert.match(program.output(), /All sessions have ended/);
    assert.deepEqual(fixture.left(), []);
    await fixture.status(0);
  },
);

test(
  'an operator who is declined on the display gets nothing, and the program waits for the next one',
  { skip },
  async () => {
    await using _display = await startDisplay(1_000, 700);
    await using fixture = await startProgramFixture();
    await using program = fixture.run();
    await program.until(/Waiting/);
    await using operator = await fixture.operator();

    await answerOnDisplay('Decline', () => phases(operator).length > 1);

    assert.deepEqual(phases(operator), ['asking', 'refused']);
    assert.deepEqual(
      operator.received.filter(({ kind }) => kind === 'layout' || kind === 'tiles'),
      [],
    );
    assert.doesNotMatch(program.output(), /is connected/);
  },
);

test('bytes of a direct connection to the program are in the history', { skip }, async () => {
  await using _display = await startDisplay(1_000, 700);
  await using fixture = await startProgramFixture();
  const place = mkdtempSync(join(tmpdir(), 'drawbridge-files-'));
  await using program = fixture.run(undefined, { DRAWBRIDGE_AGENT_FILES: place });
  await program.until(/Waiting/);
  await using operator = await fixture.operator();
  await answerOnDisplay('Allow', () => phases(operator).length > 1);
  await operator.until('state', ({ phase }) => phase === 'live');
  using channel = await openDirectChannel(operator);
  channel.move();
  await operator.until('direct', ({ moved }) => moved === 'direct');

  await uploadToDevice(operator, '/some.bin', Buffer.alloc(3_000_000, 7));
  operator.leave();

  const bytes = await fixture.counted();
  rmSync(place, { recursive: true });
  assert.ok(bytes >= 3_000_000 && bytes < 6_000_000, String(bytes));
});

test('the program ends when the invitation is closed', { skip }, async () => {
  await using _display = await startDisplay(800, 600);
  await using fixture = await startProgramFixture();
  await using program = fixture.run();
  await program.until(/Waiting/);

  await fixture.close();
  await program.until(/The connection was closed/);

  assert.equal(await program.end('SIGCONT'), 0);
  assert.deepEqual(fixture.left(), []);
});

test(
  'a request for permanent access is shown to the person, and nothing is installed',
  { skip },
  async () => {
    await using _display = await startDisplay(1_000, 700);
    await using fixture = await startProgramFixture();
    await using program = fixture.run();
    await program.until(/Waiting/);
    await using operator = await fixture.operator();
    await answerOnDisplay('Allow', () => phases(operator).length > 1);
    await operator.until('state', ({ phase }) => phase === 'live');

    operator.sendMessage('install', { message: 'May we help you again later?' });
    await answerOnDisplay('Allow', () => operator.messages('chat').length > 0);

    assert.match(
      operator.messages('chat')[0]!.text,
      /The person agreed\. Send them the install command .*\/download$/,
    );
    assert.match(program.output(), /To set up permanent access, ask owner-/);
    await program.end('SIGINT');
    assert.deepEqual(fixture.left(), []);
  },
);

test('a server with another certificate receives nothing, and a wrong code is reported as wrong', async () => {
  await using fixture = await startProgramFixture();
  const { publicUrl } = fixture.service.server.config;
  const outcome = async (...args: string[]): Promise<[number | null, string]> => {
    await using program = fixture.run(['join', ...args]);
    return [await program.end('SIGCONT'), program.output()];
  };

  const [wrongKey, first] = await outcome(
    fixture.code,
    '--server',
    publicUrl,
    '--fingerprint',
    'ab'.repeat(32),
  );
  const [noKey, second] = await outcome(fixture.code, '--server', publicUrl);
  const wrongCode = fixture.code === '000000000' ? '000000001' : '000000000';
  const [unknown, third] = await outcome(
    wrongCode,
    '--server',
    publicUrl,
    '--fingerprint',
    fixture.fingerprint,
  );
  const [misspelt, fourth] = await outcome('12345', '--server', publicUrl);

  assert.deepEqual([wrongKey, noKey, unknown, misspelt], [1, 1, 1, 1]);
  assert.match(first, /certificate of the server is not trusted/);
  assert.match(second, /certificate of the server is not trusted/);
  assert.match(third, /This code is not valid or has expired/);
  assert.match(fourth, /code must have nine digits/);
  assert.equal((await fixture.status(0))['client_os'], '');
});

const name = `drawbridge-agent-linux-${process.arch}`;

/** A program that only prints how it was started and where it is stored. */
function someOffer(): { folder: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-offer-'));
  const content = '#!/bin/sh\necho "started: $*"\ndirname "$0"\ntouch "$DRAWBRIDGE_AGENT_DATA/unpacked"\n';
  const sha256 = createHash('sha256').update(content).digest('hex');
  writeFileSync(join(folder, name), content);
  const files = [{ name, os: 'linux', arch: process.arch, size: content.length, sha256 }];
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ version: '0.1.0', files }));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

test(
  'the command on the page downloads the program, runs it with the code and removes it',
  { skip: skipWithout('curl') },
  async () => {
    using offer = someOffer();
    await using fixture = await startProgramFixture({ DRAWBRIDGE_DOWNLOADS: offer.folder });
    const { text } = await fixture.service.testClient.send({ path: '/download/join.json' });
    const { line } = JSON.parse(text) as { line: string };
    const place = mkdtempSync(join(tmpdir(), 'drawbridge-line-'));
    const run = (command: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const env = { PATH: process.env['PATH'], TMPDIR: place };
        execFile('setsid', ['--wait', 'sh', '-c', command], { env }, (error, stdout, stderr) =>
          error ? reject(new Error(stderr)) : resolve(stdout),
        );
      });

    const output = await run(line.replace('CODE', fixture.code));
    writeFileSync(
      join(offer.folder, name),
      '#!/bin/sh\necho "started: $*"\ndirname "$0"\ntouch "$DRAWBRIDGE_AGENT_DATA/UNPACKED"\n',
    );
    const swapped = run(line.replace('CODE', fixture.code));

    const pin = /--pinnedpubkey '(sha256\/\/[^']+)'/.exec(line)![1]!;
    const { publicUrl } = fixture.service.server.config;
    assert.match(
      output,
      new RegExp(`^started: join ${fixture.code} --server ${publicUrl} --fingerprint `, 'm'),
    );
    assert.ok(output.includes(`--fingerprint ${pin}\n`));
    await assert.rejects(swapped, /The program was not started: the checksum/);
    assert.deepEqual(readdirSync(place), []);
    rmSync(place, { recursive: true });
  },
);
