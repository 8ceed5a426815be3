/** A folder of display sockets in place of the machine's own, so that the agent in this process finds no displays but a test's. */
import { once } from 'node:events';
import { linkSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { socketsSetting } from '@drawbridge/agent/platform/linux/display';
import type { TestDisplay } from './display.ts';

export interface DisplaySockets extends Disposable {
  folder: string;
  /** Makes a display one that is found, by this number, and no longer the one that the environment names. */
  add(display: TestDisplay, number: number): void;
  /** The display with this number goes. */
  remove(number: number): void;
  /** What a display leaves behind that was killed. */
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
      // A second name of the socket itself, as no link is followed.
      linkSync(`/tmp/.X11-unix/X${name.slice(1)}`, at(number));
    },
    remove: (number) => rmSync(at(number)),
    async addStale(number) {
      const server = createServer().listen(join(folder, 'listening'));
      await once(server, 'listening');
      // A server that closes takes its socket away only from where it made it.
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
