/** The path to a KDE desktop: KWin's own interfaces show and control it without a prompt. KWin grants them to the helper of an installed agent. */
import { setTimeout as pause } from 'node:timers/promises';
import { NotPossible } from '../../../platform.ts';
import { loadTextBitmaps } from '../../x11/fonts/text-bitmaps.ts';
import { noFont } from '../compositor/pane-screen.ts';
import { kinds } from '../compositor/protocol.ts';
import { watchOutputs } from '../compositor/outputs.ts';
import { openSessionBus } from '../dbus/session-bus.ts';
import { requirePipeWire } from '../pipewire/library.ts';
import type { WaylandPath } from '../wayland-path.ts';
import type { WaylandConnection } from '../wire/connection.ts';
import { connectToKwin } from './connect.ts';
import { openKdeDesktop } from './desktop.ts';
import { grantProblemVariable } from './grant.ts';
import { kdeKinds, kdeName, kwinKind, requiredKdeKinds, screencast } from './protocol.ts';
import { whyNoStream } from './screen-cast.ts';

/** KWin looks for changed desktop files every few seconds only. */
const [grantTries, grantPauseMs] = [6, 1_000];

const needed: readonly string[] = [kinds.shm, kinds.seat, kinds.outputNames, kinds.layerShell];

/** The connection that was found to be usable, for the next one who needs it. KWin of Plasma 5 stops for a moment at each one. */
let ready: WaylandConnection | undefined;

function keepReady(connection: WaylandConnection): void {
  ready?.close();
  ready = connection;
}

function takeReady(): WaylandConnection | undefined {
  const taken = ready;
  ready = undefined;
  return taken?.whyClosed() === undefined ? taken : undefined;
}

export const kdePath: WaylandPath = {
  name: kdeName,
  async whyNot() {
    let connection: WaylandConnection | undefined;
    try {
      connection = await usableConnection();
      await requirePipeWire();
      if (!(await loadTextBitmaps())) throw new NotPossible(noFont);
      keepReady(connection);
      return undefined;
    } catch (error) {
      // The portal, which is next, opens this process to other programs, which must not find what KWin has granted.
      connection?.close();
      if (error instanceof NotPossible) return error.message;
      throw error;
    }
  },
  async warnings() {
    const connection = await usableConnection();
    const manager = connection.globals().find(({ kind }) => kind === kdeKinds.screencast)!;
    const [output] = (await watchOutputs(connection)).list();
    const why =
      output && (await whyNoStream(connection, connection.bind(manager, screencast.version), output.object));
    keepReady(connection);
    return why === undefined ? [] : [why];
  },
  async open(memory) {
    const connection = await usableConnection();
    const bus = await openSessionBus().catch((error: unknown) => {
      connection.close();
      throw error;
    });
    try {
      return await openKdeDesktop(connection, bus, memory);
    } catch (error) {
      connection.close();
      bus.close();
      throw error;
    }
  },
};

async function usableConnection(): Promise<WaylandConnection> {
  const taken = takeReady();
  if (taken) return taken;
  for (let left = grantTries; ; left -= 1) {
    const { connection, isClosedToOthers } = await connectToKwin();
    const why = whyUnusable(connection);
    if (why === undefined) return connection;
    connection.close();
    const mayFollow = isClosedToOthers && why === notGranted;
    if (!mayFollow || left === 1) throw new NotPossible(why);
    await pause(grantPauseMs);
  }
}

const grantProblem = process.env[grantProblemVariable];
const whatToDo = grantProblem
  ? `The copy of the agent to which it grants them could not be renewed: ${grantProblem}. Correct that; the next session then renews the copy.`
  : 'It grants them to the helper of an agent that is installed as a service: run `drawbridge-agent install` as root; `drawbridge-agent doctor`, as root, then names this path as used.';
const notGranted = `KWin does not grant its interfaces (${requiredKdeKinds.join(', ')}) to this program. ${whatToDo}`;

function whyUnusable(connection: WaylandConnection): string | undefined {
  const offered = connection.globals().map(({ kind }) => kind);
  if (!offered.includes(kwinKind)) return 'The compositor is not KWin.';
  const missing = needed.filter((kind) => !offered.includes(kind));
  if (missing.length > 0) return `KWin does not offer ${missing.join(', ')}.`;
  return requiredKdeKinds.every((kind) => offered.includes(kind)) ? undefined : notGranted;
}
