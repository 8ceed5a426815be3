/** A device on which several people are signed in to wlroots desktops of their own, one of whom sits in front of it. Needs root. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../eventually.ts';
import { useDesktops } from '../desktop-of-another-user.ts';
import { startLoginManager, type LoginManager } from './login-manager.ts';

export interface SignedInPeople extends AsyncDisposable {
  /** Signs a person in, whose screen is this wide. */
  signIn(uid: number, width: number): Promise<void>;
  /** Ends the desktop of a person. */
  signOut(uid: number): Promise<void>;
  /** This person has the seat from now on; everybody else is in the background. */
  putInFront(uid: number): void;
  /** This person has the seat and has locked the screen, as their screen locker tells the login manager. */
  lock(uid: number): void;
}

/** Everybody's screen is this high. */
const screenHeight = 600;

/** `real`: the login manager to tell, in place of one that stands in for it. */
export function openDeviceOfPeople(real?: Pick<LoginManager, 'say'>): SignedInPeople {
  const parent = mkdtempSync(join(tmpdir(), 'drawbridge-people-'));
  mkdirSync(join(parent, 'displays'));
  chmodSync(parent, 0o755);
  const restore = useDesktops(parent);
  const standIn = real ? undefined : startLoginManager(parent);
  const logins = real ?? standIn!;
  const ends = new Map<number, () => Promise<void>>();
  const signOut = async (uid: number): Promise<void> => {
    await ends.get(uid)?.();
    ends.delete(uid);
  };
  return {
    async signIn(uid, width) {
      ends.set(uid, await startDesktop(join(parent, `${uid}`), uid, width));
    },
    signOut,
    putInFront: (uid) => logins.say(...loginsOf(ends.keys(), uid)),
    lock: (uid) =>
      logins.say(...loginsOf(ends.keys(), uid).map((login) => ({ ...login, LockedHint: 'yes' }))),
    async [Symbol.asyncDispose]() {
      for (const uid of ends.keys()) await signOut(uid);
      standIn?.[Symbol.dispose]();
      restore();
      rmSync(parent, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

const loginsOf = (people: Iterable<number>, front: number): Record<string, string>[] =>
  [...new Set([...people, front])].map((uid) => ({
    Type: 'wayland',
    Active: uid === front ? 'yes' : 'no',
    Seat: 'seat0',
    User: `${uid}`,
    LockedHint: 'no',
  }));

/** The returned function ends it. */
async function startDesktop(folder: string, uid: number, width: number): Promise<() => Promise<void>> {
  mkdirSync(folder, { mode: 0o700 });
  const [config, shown] = [join(folder, 'config'), join(folder, 'shown')];
  const output = `output HEADLESS-1 resolution ${width}x${screenHeight} position 0,0`;
  writeFileSync(config, `${output}\nxwayland disable\nexec touch ${shown}\n`);
  chownSync(folder, uid, uid);
  const ids = ['--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups', '--pdeathsig', 'KILL', '--'];
  const child = spawn('/usr/bin/setpriv', [...ids, 'sway', '-c', config], {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      WLR_BACKENDS: 'headless',
      WLR_RENDERER: 'pixman',
      WLR_LIBINPUT_NO_DEVICES: '1',
    },
    stdio: 'ignore',
  });
  await eventually(() => existsSync(shown), Boolean);
  return async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}
