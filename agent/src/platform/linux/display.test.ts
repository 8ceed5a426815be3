/** Tests of which display is tried first: the one visible at the device's seat, as far as the login manager knows. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Execute } from '../execute.ts';
import { findDisplays, socketsSetting } from './display.ts';
import { openDisplay } from './x11/open-display.ts';

type Login = Record<string, string>;

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-displays-'));
const env = { [socketsSetting]: folder };
const servers = ['X10', 'X9', 'X0'].map((name) => createServer().listen(join(folder, name)).unref());
const own = String(process.getuid?.());

before(async () => {
  await Promise.all(servers.map((server) => once(server, 'listening')));
  writeFileSync(join(folder, 'X3'), 'no socket');
});
after(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

const loginctl =
  (logins: readonly Login[]): Execute =>
  async (_program, [what]) =>
    what === 'list-sessions'
      ? logins.map((_, at) => `${at + 1} 1000 ann seat0\n`).join('')
      : logins
          .map((login) =>
            Object.entries(login)
              .map((pair) => `${pair.join('=')}\n`)
              .join(''),
          )
          .join('\n');
const absent: Execute = async () => {
  throw new Error('System has not been booted with systemd');
};
const order = async (execute: Execute, more: NodeJS.ProcessEnv = {}): Promise<string[]> =>
  (await findDisplays({ ...env, ...more }, execute)).map(({ display }) => display);

const seat = { Type: 'x11', Active: 'yes', Seat: 'seat0', User: '4711' };
const away = { ...seat, Active: 'no' };
const remote = { ...seat, Seat: '' };

test('without a login manager displays are tried by number, not by name', async () => {
  assert.deepEqual(await order(absent), [':0', ':9', ':10']);
});

test('the display visible at the seat comes before background and remote ones', async () => {
  const logins = [
    { ...away, Display: ':0' },
    { ...remote, Display: ':9' },
    { ...seat, Display: ':10.0' },
  ];

  assert.deepEqual(await order(loginctl(logins)), [':10', ':9', ':0']);
});

test('a display without a login comes last', async () => {
  assert.deepEqual(await order(loginctl([{ ...away, Display: ':9' }])), [':9', ':0', ':10']);
});

test('a Wayland desktop is matched with the displays whose sockets its user owns', async () => {
  const others = { ...seat, Type: 'wayland', Display: '' };
  const terminal = { ...seat, Type: 'tty', Display: '', User: own };

  assert.deepEqual(await order(loginctl([{ ...remote, Display: ':9' }, others, terminal])), [
    ':9',
    ':0',
    ':10',
  ]);
  assert.deepEqual(
    await order(
      loginctl([
        { ...remote, Display: ':9' },
        { ...others, User: own },
      ]),
    ),
    [':0', ':9', ':10'],
  );
});

test('if DISPLAY names a display, only that one is used', async () => {
  assert.deepEqual(await order(loginctl([{ ...seat, Display: ':9' }]), { DISPLAY: ':77' }), [':77']);
});

test('if there is only one display, the login manager is not asked', async () => {
  const programs: string[] = [];
  const single = mkdtempSync(join(tmpdir(), 'drawbridge-display-'));
  const server = createServer().listen(join(single, 'X4')).unref();
  await once(server, 'listening');

  const found = await findDisplays(
    { [socketsSetting]: single },
    async (program) => void programs.push(program),
  );

  assert.deepEqual([found.map(({ display }) => display), programs], [[':4'], []]);
  server.close();
  rmSync(single, { recursive: true });
});

test('a link in the socket folder is ignored, because any user could have created it', async () => {
  symlinkSync(join(folder, 'X0'), join(folder, 'X7'));
  assert.deepEqual(await order(absent), [':0', ':9', ':10']);
  rmSync(join(folder, 'X7'));
});

test('a socket that was replaced by a link is not used', async () => {
  let heard = 0;
  servers[0]!.on('connection', (socket) => {
    heard += 1;
    socket.destroy();
  });
  symlinkSync(join(folder, 'X10'), join(folder, 'X8'));

  await assert.rejects(openDisplay({ display: ':8', socket: join(folder, 'X8') }), /it is not a socket/);
  await assert.rejects(openDisplay({ display: ':10', socket: join(folder, 'X10') }));
  assert.equal(heard > 0, true, 'the socket itself is spoken to');
  rmSync(join(folder, 'X8'));
});
