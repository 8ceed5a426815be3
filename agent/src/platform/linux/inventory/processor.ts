/** The processor, as the kernel describes it. */
import type { Hardware } from '@drawbridge/contract/hardware';
import { textOf } from './system-files.ts';

export type Processor = Pick<Hardware, 'CPU' | 'CPUFamily' | 'CPUSpeed'>;

/** Empty and zero if the kernel does not report it. `root` is the folder that contains the system's files. */
export async function processorOf(root = ''): Promise<Processor> {
  const cpufreq = `${root}/sys/devices/system/cpu/cpu0/cpufreq`;
  const [info, base, maximum] = await Promise.all([
    textOf(`${root}/proc/cpuinfo`),
    textOf(`${cpufreq}/base_frequency`),
    textOf(`${cpufreq}/cpuinfo_max_freq`),
  ]);
  const [CPU, CPUFamily, now] = ['model name', 'cpu family', 'cpu MHz'].map((name) => valueIn(info, name));
  const kilohertz = Number(base) || Number(maximum);
  const megahertz = kilohertz > 0 ? kilohertz / 1_000 : Number(now);
  return { CPU: CPU!, CPUFamily: CPUFamily!, CPUSpeed: megahertz > 0 ? Math.round(megahertz) : 0 };
}

const valueIn = (info: string, name: string): string =>
  new RegExp(`^${name}\\s*:\\s*(.*)$`, 'm').exec(info)?.[1]?.trim() ?? '';
