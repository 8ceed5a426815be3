/** Opens the Wayland desktop of the signed-in person: in this process if it is theirs, otherwise through a helper. */
import { refCounted, type SharedRef } from '../../helper/ref-counted.ts';
import { mainObject } from '../../helper/remote-objects.ts';
import type { LinuxDesktop } from '../drag/reachable-drags.ts';
import { compositorOf } from './compositor-name.ts';
import { openByPath, reportPaths } from './choose-path.ts';
import { createFrameMemory, type FrameMemory } from './frame-memory.ts';
import { createHelperDesktop, type DesktopConnection } from '../../helper/desktop/helper-desktop.ts';
import { openHelperDrags } from './helper-drags.ts';
import { startHelper, type Helper } from './helper-process.ts';
import { openedIn, reportsIn, tokenIn } from './read-values.ts';
import { tokensOf } from './restore-tokens.ts';
import type { PathReport, WaylandDesktop } from './wayland-path.ts';
import { environmentOf, findWaylandSessions, keyOfSession, type WaylandSession } from './wayland-session.ts';

export type OpenedDesktop = LinuxDesktop & Pick<WaylandDesktop, 'lockedNote'>;

/** One helper for each desktop, shared by everything that uses it. */
const helpers = new Map<string, () => Promise<SharedRef<HelperConnection>>>();

/** This process keeps its memory, because pictures of its own person need no separation. */
let ownMemory: Promise<FrameMemory> | undefined;

/** Opens the desktop of this person. Each caller gets its own, through the same helper. */
export async function openWaylandDesktop(session: WaylandSession): Promise<OpenedDesktop> {
  if (isOwn(session)) return openOwnDesktop(session);
  const helper = await acquireHelper(session);
  const { lockedNote, hasDrags, objects } = helper.value;
  return {
    ...createHelperDesktop(helper),
    ...(lockedNote !== undefined && { lockedNote }),
    ...(hasDrags && { uriDrags: () => openHelperDrags(objects) }),
  };
}

interface HelperConnection extends DesktopConnection, Pick<WaylandDesktop, 'lockedNote'> {
  hasDrags: boolean;
}

const isOwn = ({ uid }: WaylandSession): boolean => uid === process.getuid!();

/** What the agent was started with stays, such as the address of an unusual bus. */
const useEnvironmentOf = (session: WaylandSession): void =>
  void Object.assign(process.env, { ...environmentOf(session), ...process.env });

async function openOwnDesktop(session: WaylandSession): Promise<OpenedDesktop> {
  useEnvironmentOf(session);
  return openByPath(await (ownMemory ??= createFrameMemory()), tokensOf(session));
}

function acquireHelper(session: WaylandSession): Promise<SharedRef<HelperConnection>> {
  const key = keyOfSession(session);
  const acquire = helpers.get(key) ?? refCounted(() => openHelper(session));
  helpers.set(key, acquire);
  return acquire();
}

async function openHelper(session: WaylandSession): Promise<HelperConnection> {
  const helper = await startHelper(session);
  const tokens = tokensOf(session);
  helper.objects.onEvent(mainObject, (event, value) => event === 'token' && tokens.keep(tokenIn(value)));
  try {
    return { ...helper, ...openedIn(await firstCall(helper, 'open', tokens.read() ?? '')) };
  } catch (error) {
    helper.close();
    throw error;
  }
}

/** The helper must start first, which may take long on a busy device. */
const firstTimeoutMs = 30_000;

const firstCall = ({ objects }: Helper, method: string, ...args: string[]): Promise<unknown> =>
  objects.call(mainObject, method, args, { timeoutMs: firstTimeoutMs });

export interface SessionReport {
  session: WaylandSession;
  compositor: string;
  paths: PathReport[];
}

/** Which paths each signed-in person's Wayland desktop has. */
export async function reportSessions(): Promise<SessionReport[]> {
  const sessions = await findWaylandSessions();
  return Promise.all(
    sessions.map(async (session) => ({
      session,
      compositor: await compositorOf(session),
      // One desktop that hangs must not hide the others.
      paths: await reportPathsOf(session).catch((error: Error) => [
        { name: 'helper', whyNot: `The helper of the agent does not run there: ${error.message}` },
      ]),
    })),
  );
}

async function reportPathsOf(session: WaylandSession): Promise<PathReport[]> {
  if (isOwn(session)) {
    useEnvironmentOf(session);
    return reportPaths();
  }
  const helper = await startHelper(session);
  try {
    return reportsIn(await firstCall(helper, 'detect'));
  } finally {
    helper.close();
  }
}
