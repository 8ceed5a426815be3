/** Two network namespaces joined by a cable of their own, as two machines on one network; gone when they are disposed of. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const ip = ['/usr/sbin/ip', '/sbin/ip', '/usr/bin/ip'].find((path) => existsSync(path));

/** For a test's `skip`: false when this process may make namespaces, else the reason. */
export function skipWithoutNamespaces(): string | false {
  if (process.platform !== 'linux' || !ip) return 'network namespaces need Linux and the program ip';
  return process.getuid?.() === 0 ? false : 'only root may make network namespaces';
}

export interface Namespace {
  /** On the network between the two. */
  address: string;
  /** Of its end of the cable. */
  mac: string;
  /** What to write before a command so that it runs inside. */
  inside: readonly string[];
}

const call = (...args: string[]): string => execFileSync(ip!, args, { encoding: 'utf8' });

export function openNamespaces(): { one: Namespace; other: Namespace } & Disposable {
  const id = process.pid;
  const names = [`drawbridge-${id}-a`, `drawbridge-${id}-b`] as const;
  const cables = [`db${id}a`, `db${id}b`] as const;
  const network = `10.99.${id % 256}`;
  const remove = (): void => {
    for (const name of names)
      try {
        call('netns', 'del', name);
      } catch {
        // It was not there, or is gone already.
      }
  };
  process.once('exit', remove);
  names.forEach((name) => call('netns', 'add', name));
  call(
    'link',
    'add',
    cables[0],
    'netns',
    names[0],
    'type',
    'veth',
    'peer',
    'name',
    cables[1],
    'netns',
    names[1],
  );
  const open = (index: 0 | 1): Namespace => {
    const [name, cable, address] = [names[index], cables[index], `${network}.${index + 1}`];
    call('-n', name, 'link', 'set', 'lo', 'up');
    call('-n', name, 'addr', 'add', `${address}/24`, 'broadcast', '+', 'dev', cable);
    call('-n', name, 'link', 'set', cable, 'up');
    const mac = /link\/ether (\S+)/.exec(call('-n', name, 'link', 'show', cable))![1]!;
    return { address, mac, inside: [ip!, 'netns', 'exec', name] };
  };
  const [one, other] = [open(0), open(1)];
  return {
    one,
    other,
    [Symbol.dispose]() {
      process.off('exit', remove);
      remove();
    },
  };
}
