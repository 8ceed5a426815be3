/** Tests of which user root plays sound as: the person at the device, if they own their sound server, and with what environment. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { text } from 'node:stream/consumers';
import type { Execute } from '../../execute.ts';
import { runtimeFoldersSetting } from '../wayland/wayland-session.ts';
import { soundOwner, startSoundProgram } from './sound-server.ts';

const asRoot = process.getuid?.() !== 0 && 'only root can make folders of other users';
const [ann, bob] = [65_534, 65_533];
const nobody = /^Error: No user who is logged in/;

const absent: Execute = async () => {
  throw new Error('System has not been booted with systemd');
};

/** A login manager that knows these logins. */
const loginctl =
  (...logins: readonly Record<string, string | number>[]): Execute =>
  async (_program, [what]) =>
    logins
      .map((login, at) =>
        what === 'list-sessions'
          ? `${at + 1} user seat0\n`
          : Object.entries(login)
              .map((pair) => `${pair.join('=')}\n`)
              .join(''),
      )
      .join(what === 'list-sessions' ? '' : '\n');

const inFront = (User: number) => ({ Type: 'wayland', Active: 'yes', Seat: 'seat0', User });
const behind = (User: number) => ({ ...inFront(User), Active: 'no' });
const bySsh = (User: number) => ({ Type: 'tty', Active: 'yes', Seat: '', User });

/** Runtime folders with a sound server for each of these users. */
async function createUsers(...uids: readonly number[]): Promise<Disposable & { users: string }> {
  const users = mkdtempSync(join(tmpdir(), 'drawbridge-sound-'));
  chmodSync(users, 0o755);
  const servers = await Promise.all(
    uids.map(async (uid) => {
      const folder = join(users, `${uid}`);
      mkdirSync(join(folder, 'pulse'), { recursive: true });
      const server = createServer().listen(join(folder, 'pulse/native')).unref();
      await once(server, 'listening');
      for (const path of ['', 'pulse', 'pulse/native']) chownSync(join(folder, path), uid, uid);
      return server;
    }),
  );
  return {
    users,
    [Symbol.dispose]() {
      for (const server of servers) server.close();
      rmSync(users, { recursive: true });
    },
  };
}

test('the sound is that of the person at the device', { skip: asRoot }, async () => {
  using made = await createUsers(ann, bob);
  const chosen = async (ask: Execute): Promise<number> => (await soundOwner(made.users, { ask })).uid;

  assert.equal(await chosen(loginctl(behind(bob), inFront(ann))), ann);
  assert.equal(await chosen(loginctl(behind(ann), inFront(bob))), bob);
  assert.equal(await chosen(loginctl(bySsh(ann), behind(bob))), bob);
  assert.equal(await chosen(absent), bob, 'the lowest number, as with the desktop');
  assert.equal((await soundOwner(made.users, { ask: loginctl(inFront(bob)), shown: ann })).uid, ann);
});

test('nobody in the background is heard', { skip: asRoot }, async () => {
  using made = await createUsers(ann);

  await assert.rejects(
    soundOwner(made.users, { ask: loginctl(inFront(bob), behind(ann)) }),
    /^Error: The person at the device has no sound server/,
  );
});

test(
  'programs that run as that person get none of the environment of the service',
  { skip: asRoot },
  async () => {
    using made = await createUsers(ann);
    const before = { ...process.env };
    for (const name of ['XDG_RUNTIME_DIR', 'PULSE_SERVER']) delete process.env[name];
    const set = { [runtimeFoldersSetting]: made.users, HTTPS_PROXY: 'http://ann:secret@proxy' };
    Object.assign(process.env, set);

    const { stdout } = await startSoundProgram('env', []);
    const environment = await text(stdout);
    for (const name of Object.keys(set)) delete process.env[name];
    Object.assign(process.env, before);

    assert.deepEqual(environment.trim().split('\n').toSorted(), [
      'LC_ALL=C',
      'PATH=/usr/local/bin:/usr/bin:/bin',
      `XDG_RUNTIME_DIR=${join(made.users, `${ann}`)}`,
    ]);
  },
);

test('only a user who owns their sound server is chosen', { skip: asRoot }, async () => {
  const users = mkdtempSync(join(tmpdir(), 'drawbridge-sound-'));
  const folder = join(users, '1000');
  const [native, roots] = [join(folder, 'pulse/native'), join(users, 'socket')];
  mkdirSync(join(folder, 'pulse'), { recursive: true });
  for (const path of [folder, join(folder, 'pulse')]) chownSync(path, ann, ann);
  const server = createServer().listen(roots).unref();
  await once(server, 'listening');

  symlinkSync(roots, native);
  await assert.rejects(soundOwner(users, { ask: absent }), nobody, 'a link to a socket of root');
  rmSync(native);
  renameSync(roots, native);
  await assert.rejects(soundOwner(users, { ask: absent }), nobody, 'a socket that is not theirs');
  chownSync(native, ann, ann);
  assert.deepEqual(await soundOwner(users, { ask: absent }), { folder, uid: ann, gid: ann });

  server.close();
  rmSync(users, { recursive: true });
});
