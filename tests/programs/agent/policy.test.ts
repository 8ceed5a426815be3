/** The policy of a device in real sessions: what it forbids is refused whatever the grant says, and ends while a session runs. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { encodeDataChunk, encodeNumber } from '@drawbridge/contract/session/binary-frames';
import { defaultPolicy, type Policy } from '@drawbridge/contract/policy';
import { createRecordingKeys } from '@drawbridge/server/sessions/recording-keys';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import { openFiles } from '@drawbridge/agent/platform/linux/files/session-files';
import { openShell } from '@drawbridge/agent/platform/linux/shell';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import { eventually } from '../../kit/eventually.ts';
import { createManualClock } from '../../kit/session/manual-clock.ts';
import { connectOperator, type Operator } from '../../kit/session/operator.ts';
import { openSessionFixture } from '../../kit/session/session-fixture.ts';
import { useEmptyHome } from '../../kit/agent/empty-home.ts';

const untilLive = (operator: Operator) => operator.until('state', ({ phase }) => phase === 'live');
const forbidden = /policy of this device does not allow/;

describe('the policy of a device', () => {
  useEmptyHome();
  const root = mkdtempSync(join(tmpdir(), 'drawbridge-policy-'));
  before(() => writeFileSync(join(root, 'report.txt'), Buffer.alloc(8_000_000)));
  after(() => rmSync(root, { recursive: true }));

  /** A device with files, shells, a clipboard and a person who agrees. */
  async function fixture(some: Partial<Policy> = {}, own: Partial<Desktop> = {}) {
    let policy: Policy = { ...defaultPolicy, ...some };
    const [questions, clipboard]: [string[], string[]] = [[], []];
    let copied = (_text: string): void => {};
    const desktop: Partial<Desktop> = {
      onClose: () => {},
      ask: async (question) => questions.push(question) > 0,
      banner: async () => ({ onStop: () => {}, setText: () => {}, close: () => {} }),
      clipboard: async () => ({
        write: (text) => void clipboard.push(text),
        onChange: (listener) => void (copied = listener),
        close: () => void clipboard.push('closed'),
      }),
      close: () => {},
      ...own,
    };
    const platform = createFakePlatform('desk', {
      desktop: async () => desktop as Desktop,
      files: () => openFiles({ DRAWBRIDGE_AGENT_FILES: root }),
      shell: openShell,
    });
    // Without heartbeats, which would end a session whose time is moved by minutes.
    const clock = { ...createManualClock(), every: () => () => {} };
    const opened = await openSessionFixture({ platform, policy: () => policy, clock });
    return Object.assign(opened, {
      clock,
      questions,
      clipboard,
      copy: (text: string) => copied(text),
      set(next: Partial<Policy>) {
        policy = { ...policy, ...next };
        opened.sessions.policyChanged();
      },
      record: { url: opened.recordings.url, token: 'token', key: createRecordingKeys().publicKey },
    });
  }
  const answerTo = (operator: Operator, id: number) =>
    operator.until('file_answer', (answer) => answer.id === id);

  test('a grant that allows more than the policy gives no more than the policy', async () => {
    await using it = await fixture({ terminal: 'off', clipboard: 'off', confirm: 'always' });
    await using ann = it.meet({ confirm: false });

    const { permissions } = await untilLive(ann);

    assert.equal(it.questions.length, 1);
    assert.ok(!/run commands|clipboard/.test(it.questions[0]!));
    assert.ok(permissions.includes('agent_file_transfer'));
    assert.ok(!permissions.includes('agent_terminal_mode') && !permissions.includes('agent_clipboard'));
    ann.sendMessage('terminal', { do: 'open', id: 1, columns: 80, rows: 24 });
    await ann.until('refused', ({ kind }) => kind === 'terminal');
    assert.deepEqual(it.clipboard, []);
  });

  test('a desktop without a banner is used only if the policy allows it, also while a session runs', async () => {
    const untold = 'This desktop has no place for the banner.';
    const banner = () => Promise.reject(new Error(untold));
    await using it = await fixture({}, { untold, banner });
    await using ann = it.meet();
    const strict = await untilLive(ann);
    it.set({ notice: 'where_possible' });
    await using ben = it.meet();
    const lenient = await untilLive(ben);
    it.set({ notice: 'required' });

    assert.match(
      strict.unable['agent_clipboard']!,
      /requires that the person is told\. This desktop has no place/,
    );
    assert.ok(strict.permissions.includes('agent_file_transfer'));
    assert.ok(lenient.permissions.includes('agent_clipboard'));
    assert.match((await ben.until('end')).message, /now requires that the person there is told/);
  });

  test('a session is refused if the policy forbids its link or its recording, or requires one', async () => {
    await using it = await fixture({ onetime_url: 'forbid' });
    const { input } = it.invite();
    await assert.rejects(it.sessions.open({ ...input, onetime: true }), /does not allow one-time links/);
    it.set({ recording: 'off' });
    const recorded = it.invite({ grant: { record: it.record } });
    await assert.rejects(it.sessions.open(recorded.input), /does not allow recordings/);
    it.set({ recording: 'always' });

    await assert.rejects(it.sessions.open(it.invite().input), /requires that sessions are recorded/);
  });

  test('files go only in the direction that the policy allows, and a transfer ends when it no longer does', async () => {
    await using it = await fixture({ files: 'from_device' });
    await using ann = it.meet();
    await untilLive(ann);
    ann.sendMessage('file', { do: 'put', id: 1, path: '/new.txt', size: 1, replace: false });
    ann.sendMessage('file', { do: 'remove', id: 2, path: '/report.txt' });
    ann.sendMessage('file', { do: 'get', id: 3, path: '/report.txt', from: 0 });

    const [put, remove, get] = [await answerTo(ann, 1), await answerTo(ann, 2), await answerTo(ann, 3)];
    assert.deepEqual([put.is, remove.is, get.is], ['failed', 'failed', 'get']);
    assert.match((put as { message: string }).message, forbidden);
    it.set({ files: 'to_device' });
    await ann.until('file_answer', (answer) => answer.id === 3 && answer.is === 'failed');
    ann.sendMessage('file', { do: 'put', id: 4, path: '/later.txt', size: 9, replace: false });
    assert.equal((await answerTo(ann, 4)).is, 'put');
    it.set({ files: 'off' });

    const { unable } = await ann.until('state', ({ unable: why }) => 'agent_file_transfer' in why);
    assert.match(unable['agent_file_transfer']!, forbidden);
    ann.sendMessage('file', { do: 'list', id: 5, path: '/' });
    await ann.until('refused', ({ kind, message }) => kind === 'file' && forbidden.test(message));
    assert.ok(!readdirSync(root).includes('new.txt'));
  });

  test('the clipboard goes only in the direction that the policy allows, also after a change', async () => {
    await using it = await fixture({ clipboard: 'to_device' });
    await using ann = it.meet();
    await untilLive(ann);
    ann.sendMessage('clipboard', { text: 'from ann' });
    await eventually(
      () => it.clipboard,
      (texts) => texts.includes('from ann'),
    );
    it.copy('secret of the device');
    it.set({ clipboard: 'from_device' });
    ann.sendMessage('clipboard', { text: 'again' });
    await ann.until('refused', ({ kind, message }) => kind === 'clipboard' && forbidden.test(message));
    it.copy('for ann');

    const { text } = await ann.until('clipboard');
    assert.equal(text, 'for ann');
    it.set({ clipboard: 'off' });
    await eventually(
      () => it.clipboard.at(-1),
      (last) => last === 'closed',
    );
    assert.ok(!it.clipboard.includes('again'));
  });

  test('a terminal is closed at once when the policy forbids terminals, and the session goes on', async () => {
    await using it = await fixture();
    await using ann = it.meet();
    await untilLive(ann);
    const pidFile = join(root, 'pid');
    ann.sendMessage('terminal', { do: 'open', id: 1, columns: 80, rows: 24 });
    const data = Buffer.from(`echo $$ > ${pidFile}\n`);
    ann.send('terminal_bytes', encodeDataChunk({ id: 1, at: 0, data }));
    const pid = await eventually(
      () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0),
      (found) => found > 0,
    );
    it.set({ terminal: 'off' });

    const { permissions } = await ann.until('state', ({ unable }) => 'agent_terminal_mode' in unable);
    assert.ok(permissions.includes('agent_connect') && !permissions.includes('agent_terminal_mode'));
    it.set({ terminal: 'on' });
    ann.sendMessage('terminal', { do: 'open', id: 2, columns: 80, rows: 24 });
    await ann.until('refused', ({ kind }) => kind === 'terminal');
    ann.sendMessage('file', { do: 'list', id: 9, path: '/' });
    assert.equal((await answerTo(ann, 9)).is, 'list');
    await eventually(
      () => existsSync(`/proc/${pid}`),
      (isRunning) => !isRunning,
    );
  });

  test('a recording stops at once when the policy forbids recordings, and no other can begin', async () => {
    await using it = await fixture();
    await using ann = it.meet({ session: 7 });
    await untilLive(ann);
    await it.sessions.record({ session: 7, record: it.record });
    await ann.until('state', ({ recording }) => recording);

    it.set({ recording: 'off' });

    await eventually(
      () => ann.messages('state').at(-1)!.recording,
      (isRecorded) => !isRecorded,
    );
    await assert.rejects(it.sessions.record({ session: 7, record: it.record }), forbidden);
  });

  test('a session ends when the policy now requires a question or a recording, or forbids its link', async () => {
    const changes: [Partial<Policy>, RegExp][] = [
      [{ confirm: 'always' }, /must now be asked first/],
      [{ recording: 'always' }, /requires that sessions are recorded/],
      [{ onetime_url: 'forbid' }, /does not allow one-time links/],
    ];
    for (const [change, why] of changes) {
      await using it = await fixture();
      const { input, operatorOptions } = it.invite();
      void it.sessions.open({ ...input, onetime: true });
      await using ann = connectOperator(operatorOptions);
      await untilLive(ann);
      it.set(change);

      const { message, back } = await ann.until('end');
      assert.match(message, why);
      assert.equal(back, false);
    }
  });

  test('a session that tried a direct connection returns over the relay when the policy forbids them', async () => {
    await using it = await fixture();
    const untilFailed = async (operator: Operator): Promise<string> => {
      operator.sendMessage('direct', { offer: 'not an offer' });
      return (await operator.until('direct', ({ failed }) => failed !== undefined)).failed!;
    };
    await using ann = it.meet({ grant: { ice: [] } });
    await using ben = it.meet({ grant: { ice: [] } });
    await Promise.all([untilLive(ann), untilLive(ben)]);
    assert.match(await untilFailed(ann), /could not read the offer/);

    it.set({ direct: 'off' });

    const { message, back } = await ann.until('end');
    assert.match(message, forbidden);
    assert.equal(back, true);
    // The other one was on the relay and stays there.
    assert.match(await untilFailed(ben), /not possible/);
    await using cleo = it.meet({ grant: { ice: [] } });
    await untilLive(cleo);
    assert.match(await untilFailed(cleo), /turned off/);
    assert.equal(ben.messages('end').length, 0);
  });

  test('a session that nobody uses ends after the time that the policy allows, also if it is shortened', async () => {
    await using it = await fixture({ idle_timeout: '10m' });
    await using ann = it.meet();
    await untilLive(ann);
    const minutes = (count: number): void => it.clock.advance(count * 60_000);
    let requests = 0;
    const use = async (): Promise<void> => {
      ann.sendMessage('file', { do: 'list', id: (requests += 1), path: '/' });
      await answerTo(ann, requests);
    };

    minutes(9);
    await use();
    minutes(9);
    await use();
    assert.equal(ann.messages('end').length, 0);
    minutes(6);
    assert.equal(ann.messages('end').length, 0);
    it.set({ idle_timeout: '5m' });

    assert.match((await ann.until('end')).message, /nobody used it/);
  });

  test('what a page sends by itself does not keep a session open', async () => {
    await using it = await fixture({ idle_timeout: '10m' });
    await using ann = it.meet();
    await untilLive(ann);
    it.clock.advance(9 * 60_000);
    ann.send('shown', encodeNumber(1));
    ann.sendMessage('terminal', { do: 'read', id: 1, bytes: 0 });
    ann.send('ping', encodeNumber(5));
    await eventually(
      () => ann.received.some(({ kind }) => kind === 'pong'),
      (isAnswered) => isAnswered,
    );

    it.clock.advance(60_000);

    assert.match((await ann.until('end')).message, /nobody used it/);
  });
});
