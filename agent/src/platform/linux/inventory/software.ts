/** Lists the programs that the system's package manager knows. */
import type { Software } from '@drawbridge/contract/uplink/facts';
import { NotPossible } from '../../platform.ts';
import { outputOf } from './system-files.ts';

interface PackageManager {
  program: string;
  args: readonly string[];
  /** The fields of one line: name, version, publisher, install date. */
  read(line: string): readonly (string | undefined)[];
}

const tabbed = (line: string): string[] => line.split('\t');

/** Tried in this order; the first one that exists is used. */
const packageManagers: readonly PackageManager[] = [
  { program: 'dpkg-query', args: ['-W', '-f', '${Package}\\t${Version}\\t${Maintainer}\\n'], read: tabbed },
  {
    program: 'rpm',
    args: ['-qa', '--qf', '%{NAME}\\t%{VERSION}-%{RELEASE}\\t%{VENDOR}\\t%{INSTALLTIME:day}\\n'],
    read: tabbed,
  },
  { program: 'pacman', args: ['-Q'], read: (line) => line.split(' ') },
  {
    program: 'apk',
    args: ['info', '-v'],
    read: (line) => /^(.*)-(\d[^-]*-r\d+)$/.exec(line)?.slice(1) ?? [line],
  },
];

export async function readSoftware(): Promise<Software> {
  for (const { program, args, read } of packageManagers) {
    const output = await outputOf(program, args);
    if (output === undefined) continue;
    const lines = output.split('\n').filter((line) => line !== '');
    return lines.slice(0, 10_000).map((line) => {
      const [name = '', version = '', publisher = '', install_date = ''] = read(line);
      return { name, version, publisher, install_date };
    });
  }
  throw new NotPossible('This device has no package manager that the agent supports.');
}
