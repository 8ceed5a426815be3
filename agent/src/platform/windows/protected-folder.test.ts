/** Tests of what is refused in the agent's folder on Windows, and that the access to the rest is restricted. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { WindowsApi } from './api/windows-api.ts';
import { protectFolder } from './protected-folder.ts';

const [system, administrators, ann, bob] = ['S-1-5-18', 'S-1-5-32-544', 'S-1-5-21-1-1001', 'S-1-5-21-1-1002'];
/** Addresses of identifiers are their places in this list. */
const users = ['', system, administrators, ann, bob];

/** A Windows whose files belong to `user` unless `owners` says otherwise. */
function createSystem(t: TestContext, { user = ann, isElevated = true } = {}) {
  const parent = mkdtempSync(join(tmpdir(), 'drawbridge-protected-'));
  t.after(() => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, 'state');
  const owners: Record<string, string> = {};
  /** Each access list that was set, by the path below the folder. */
  const access: Record<string, string> = {};
  let [text, descriptor] = ['', ''];
  const api = {
    OpenProcessToken: () => 1,
    CloseHandle: () => 1,
    LocalFree: () => 0,
    GetTokenInformation(_token: bigint, kind: number, value: Buffer) {
      if (kind === 1) value.writeBigUInt64LE(BigInt(users.indexOf(user)));
      else value.writeUInt32LE(isElevated ? 1 : 0);
      return 1;
    },
    GetNamedSecurityInfoW(path: string, _kind: number, _what: number, owner: Buffer) {
      owner.writeBigUInt64LE(BigInt(users.indexOf(owners[relative(folder, path)] ?? user)));
      return 0;
    },
    ConvertSidToStringSidW(identifier: bigint) {
      text = users[Number(identifier)]!;
      return 1;
    },
    koffi: { decode: () => text },
    ConvertStringSecurityDescriptorToSecurityDescriptorW(form: string) {
      descriptor = form;
      return 1;
    },
    SetFileSecurityW(path: string) {
      access[relative(folder, path)] = descriptor;
      return 1;
    },
  } as unknown as WindowsApi;
  return { api, folder, owners, access };
}

const closed = 'D:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)';

test('a new folder is closed to all but the system and administrators', (t) => {
  const { api, folder, access } = createSystem(t);

  protectFolder(api, folder);

  assert.deepEqual([existsSync(folder), access], [true, { '': closed }]);
});

test('without administrator rights, the own user keeps the access', (t) => {
  const { api, folder, access } = createSystem(t, { isElevated: false });

  protectFolder(api, folder);

  assert.deepEqual(access, { '': `${closed}(A;OICI;FA;;;${ann})` });
});

test('the access to everything that is in an existing folder is restricted too', (t) => {
  const { api, folder, owners, access } = createSystem(t);
  mkdirSync(join(folder, 'native'), { recursive: true });
  for (const name of ['agent.json', 'native/part']) writeFileSync(join(folder, name), '');
  Object.assign(owners, { '': administrators, 'agent.json': system });

  protectFolder(api, folder);

  const expected = ['', 'agent.json', 'native', 'native/part'].map((name) => [name, closed]);
  assert.deepEqual(access, Object.fromEntries(expected));
});

for (const [planted, also] of [
  ['', []],
  ['update.json', ['']],
  ['native/part', ['', 'native']],
] as const)
  test(`what another user has created is refused and named: ${planted || 'the folder'}`, (t) => {
    const { api, folder, owners, access } = createSystem(t);
    mkdirSync(join(folder, 'native'), { recursive: true });
    if (planted) writeFileSync(join(folder, planted), '');
    owners[planted] = bob;

    assert.throws(() => protectFolder(api, folder), {
      message: `${join(folder, planted)} belongs to another user, who could control this device with it. Remove it, then try again.`,
    });
    // The folder is closed before its content is looked at.
    assert.deepEqual(
      also.filter((name) => access[name] !== closed),
      [],
    );
  });

test('links are refused, and what they name stays as it is', (t) => {
  const { api, folder, access } = createSystem(t);
  const elsewhere = `${folder}-elsewhere`;
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, folder);
  assert.throws(() => protectFolder(api, folder), /state is a link\./);
  assert.deepEqual(access, {});

  rmSync(folder);
  mkdirSync(folder);
  symlinkSync(elsewhere, join(folder, 'native'));
  assert.throws(() => protectFolder(api, folder), /native is a link\./);
  assert.deepEqual(access, { '': closed });
});
