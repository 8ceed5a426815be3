/** The labels of volumes and the disks of the machine, as the kernel and udev list them. */
import { readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Hardware } from '@drawbridge/contract/hardware';
import { namesIn, textOf } from './system-files.ts';

/** Maps devices, such as `/dev/sda1`, to the labels of their volumes. `root` is the folder that contains the system's files. */
export async function labelsOf(root = ''): Promise<Map<string, string>> {
  const folder = `${root}/dev/disk/by-label`;
  const labels = await Promise.all(
    (await namesIn(folder)).map(async (name): Promise<[string, string]> => {
      const target = await readlink(`${folder}/${name}`).catch(() => '');
      return [`/dev/${basename(target)}`, unescape(name)];
    }),
  );
  return new Map(labels);
}

/** udev writes `\x20` for a space. */
const unescape = (name: string): string =>
  Buffer.from(
    name.replace(/\\x([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

const sectorsPerMegabyte = 2_048;

/** Lists physical disks: no partitions, and nothing backed by files or memory. */
export async function disksOf(root = ''): Promise<Hardware['HDD']> {
  const names = (await namesIn(`${root}/sys/block`)).toSorted();
  const found = await Promise.all(
    names.map(async (name) => {
      const folder = `${root}/sys/block/${name}`;
      const isDevice = (await namesIn(`${folder}/device`)).length > 0 && !/^(sr|fd)\d/.test(name);
      if (!isDevice) return [];
      const [model, sectors] = await Promise.all([
        textOf(`${folder}/device/model`),
        textOf(`${folder}/size`),
      ]);
      return [{ Model: model || name, Size: Math.floor(Number(sectors) / sectorsPerMegabyte) || 0 }];
    }),
  );
  return found.flat().filter(({ Size }) => Size > 0);
}
