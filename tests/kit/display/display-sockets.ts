/**
 * A folder of display sockets in place of the machine's own, so that the agent in this process finds only the
 * displays of a test.
 */
import { once } from 'node:events';
import { linkSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { socketsSetting } from '@drawbridge/agent/platform/linux/display';
import type { TestDisplay } from './display.ts';

export interface DisplaySockets extends Disposable {
  folder: string;
  /** Makes a display discoverable under this number, instead of through the environment. */
  add(display: Pick<TestDisplay, 'name'>, number: number): void;
  /** Removes the display with this number. */
  remove(number: number): void;
  /** Leaves what a killed display leaves behind. */
  addStale(number: number): Promise<void>;
}

export function openDisplaySockets(): DisplaySockets {
  const folder = mkdtempSync('/tmp/drawbridge-sockets-');
  const at = (number: number): string => join(folder, `X${number}`);
  delete process.env['DISPLAY'];
  process.env[socketsSetting] = folder;
  return {
    folder,
    add({ name }, number) {
      delete process.env['DISPLAY'];
      // A hard link to the socket, because the agent follows no symbolic links.
      linkSync(`/tmp/.X11-unix/X${name.slice(1)}`, at(number));
    },
    remove: (number) => rmSync(at(number)),
    async addStale(number) {
      const server = createServer().listen(join(folder, 'listening'));
      await once(server, 'listening');
      // A server that closes removes its socket only at the path where it created it.
      renameSync(join(folder, 'listening'), at(number));
      server.close();
      await once(server, 'close');
    },
    [Symbol.dispose]() {
      delete process.env[socketsSetting];
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
