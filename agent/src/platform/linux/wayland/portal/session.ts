/** A session of the portal for remote control: the person allows it once, and later sessions are restored by a token. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { NotPossible } from '../../../platform.ts';
import { variant, type SessionBus } from '../dbus/session-bus.ts';
import { maxTokenLength } from '../read-values.ts';
import type { RestoreTokens } from '../wayland-path.ts';
import { newHandle, outcomes, portalInterface, requestPortal, type PortalCall } from './requests.ts';

/** One monitor that the person has allowed. */
export interface PortalStream {
  /** The number of the stream's source in PipeWire. */
  node: number;
  /** In the units of the desktop; without a position if the portal does not tell it. */
  size?: readonly [width: number, height: number];
  position?: readonly [x: number, y: number];
}

export interface PortalSession {
  /** The path of the session's object. */
  path: string;
  streams: readonly PortalStream[];
  /** Whether the person allowed mouse and keyboard too. */
  hasInput: boolean;
  hasClipboard: boolean;
}

const devices = { keyboard: 1, pointer: 2 } as const;
const bothDevices = devices.keyboard | devices.pointer;
const monitors = 1;
/** The pointer is described beside the picture where the desktop can do that, otherwise drawn into it. */
const cursorModes = { drawn: 2, besidePicture: 4 } as const;
const untilRevoked = 2;

const declined =
  'The person at the device has declined to share their screen. To ask them again, end the session and connect again.';
const failed =
  'The desktop of the device could not share its screen. Look into the log of xdg-desktop-portal there, and connect again.';

/** Throws NotPossible with a sentence if the person declines. `onSession` is called before the person is asked. */
export async function startPortalSession(
  bus: SessionBus,
  tokens: RestoreTokens,
  signal: AbortSignal,
  onSession: (path: string) => Promise<void>,
): Promise<PortalSession> {
  const create: PortalCall = {
    of: 'RemoteDesktop',
    member: 'CreateSession',
    options: { session_handle_token: variant('s', newHandle()) },
  };
  const path = (await demand(bus, create)).session_handle as string;
  await onSession(path);
  await selectDevices(bus, path, tokens.read());
  await selectMonitors(bus, path);
  await requestClipboard(bus, path);
  const results = await demand(
    bus,
    { of: 'RemoteDesktop', member: 'Start', signature: 'os', values: [path, ''] },
    signal,
  );
  keepToken(tokens, results.restore_token);
  return toSession(path, results);
}

async function selectDevices(bus: SessionBus, path: string, token: string | undefined): Promise<void> {
  await demand(bus, {
    of: 'RemoteDesktop',
    member: 'SelectDevices',
    signature: 'o',
    values: [path],
    options: {
      types: variant('u', bothDevices),
      persist_mode: variant('u', untilRevoked),
      ...(token !== undefined && { restore_token: variant('s', token) }),
    },
  });
}

async function selectMonitors(bus: SessionBus, path: string): Promise<void> {
  await demand(bus, {
    of: 'ScreenCast',
    member: 'SelectSources',
    signature: 'o',
    values: [path],
    options: {
      types: variant('u', monitors),
      multiple: variant('b', true),
      cursor_mode: variant('u', await cursorModeOf(bus)),
    },
  });
}

interface Results {
  session_handle?: unknown;
  restore_token?: unknown;
  streams?: [node: number, about: Pick<PortalStream, 'size' | 'position'>][];
  devices?: number;
  clipboard_enabled?: boolean;
}

async function demand(bus: SessionBus, call: PortalCall, signal?: AbortSignal): Promise<Results> {
  const { outcome, results } = await requestPortal(bus, call, signal);
  if (outcome === outcomes.allowed) return results;
  throw new NotPossible(outcome === outcomes.declined ? declined : failed);
}

async function cursorModeOf(bus: SessionBus): Promise<number> {
  const available = await bus.property<number>(portalInterface('ScreenCast'), 'AvailableCursorModes');
  return (available & cursorModes.besidePicture) !== 0 ? cursorModes.besidePicture : cursorModes.drawn;
}

/** Desktops whose portal does not share the clipboard refuse it. */
const requestClipboard = (bus: SessionBus, path: string): Promise<unknown> =>
  bus.call(portalInterface('Clipboard'), 'RequestClipboard', 'oa{sv}', path, {}).catch(() => undefined);

/** A token is used once; the next one comes with each start. */
function keepToken(tokens: RestoreTokens, token: unknown): void {
  if (typeof token === 'string' && token !== '' && token.length <= maxTokenLength) tokens.keep(token);
}

function toSession(
  path: string,
  { streams = [], devices: allowed = 0, clipboard_enabled }: Results,
): PortalSession {
  if (streams.length === 0)
    throw new NotPossible(
      'The person at the device has not shared a monitor. To ask them again, end the session and connect again.',
    );
  return {
    path,
    streams: streams.map(([node, { size, position }]) => ({
      node,
      ...(size && { size }),
      ...(position && { position }),
    })),
    hasInput: (allowed & bothDevices) === bothDevices,
    hasClipboard: clipboard_enabled === true,
  };
}

/** Where a stream lies on the desktop, as far as the portal tells it. */
export const boxOfStream = ({
  size: [width, height] = [0, 0],
  position: [x, y] = [0, 0],
}: PortalStream): Box => ({
  x,
  y,
  width,
  height,
});
