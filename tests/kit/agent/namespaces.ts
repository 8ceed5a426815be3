/**
 * Two network namespaces connected by a virtual cable, like two machines on one network; removed when
 * disposed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const ip = ['/usr/sbin/ip', '/sbin/ip', '/usr/bin/ip'].find((path) => existsSync(path));

/** For a test's `skip`: false if this process may create namespaces, else the reason. */
export function skipWithoutNamespaces(): string | false {
  if (process.platform !== 'linux' || !ip) return 'network namespaces need Linux and the program ip';
  return process.getuid?.() === 0 ? false : 'only root may make network namespaces';
}

export interface Namespace {
  /** The address on the network between the two. */
  address: string;
  /** The hardware address at its end of the cable. */
  mac: string;
  /** The command prefix that runs a command inside the namespace. */
  inside: readonly string[];
}

const call = (...args: string[]): string => execFileSync(ip!, args, { encoding: 'utf8' });

/** A namespace and the interface inside it. */
interface Endpoint {
  name: string;
  cable: string;
  address: string;
}

function removeNamespace({ name }: Endpoint): void {
  try {
    call('netns', 'del', name);
  } catch {
    // It did not exist or is already removed.
  }
}

function configure({ name, cable, address }: Endpoint): Namespace {
  call('-n', name, 'link', 'set', 'lo', 'up');
  call('-n', name, 'addr', 'add', `${address}/24`, 'broadcast', '+', 'dev', cable);
  call('-n', name, 'link', 'set', cable, 'up');
  const mac = /link\/ether (\S+)/.exec(call('-n', name, 'link', 'show', cable))![1]!;
  return { address, mac, inside: [ip!, 'netns', 'exec', name] };
}

export function openNamespaces(): { one: Namespace; other: Namespace } & Disposable {
  const id = process.pid;
  const network = `10.99.${id % 256}`;
  const one: Endpoint = { name: `drawbridge-${id}-a`, cable: `db${id}a`, address: `${network}.1` };
  const other: Endpoint = { name: `drawbridge-${id}-b`, cable: `db${id}b`, address: `${network}.2` };
  const remove = (): void => [one, other].forEach(removeNamespace);
  process.once('exit', remove);
  for (const { name } of [one, other]) call('netns', 'add', name);
  const peer = ['type', 'veth', 'peer', 'name', other.cable, 'netns', other.name];
  call('link', 'add', one.cable, 'netns', one.name, ...peer);
  return {
    one: configure(one),
    other: configure(other),
    [Symbol.dispose]() {
      process.off('exit', remove);
      remove();
    },
  };
}
