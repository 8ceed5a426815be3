/** The agent's windows on a Wayland desktop: on the XWayland inside it, if there is one. */
import { NotPossible } from '../../../platform.ts';
import type { X11Connection } from '../../x11/connection.ts';
import { paneScreenOf } from '../../x11/windows/pane.ts';
import { paneWindows, type PaneWindows } from '../pane-windows.ts';
import type { WaylandDesktop } from '../wayland-path.ts';
import { connectToXwayland } from './connect.ts';

/** The X11 display inside the desktop, on which the person sees who is connected, or why there is none. */
export type TellingDisplay = { xwayland: X11Connection; untold?: undefined } | { untold: string };

export async function findTellingDisplay(): Promise<TellingDisplay> {
  try {
    return { xwayland: await connectToXwayland() };
  } catch (error) {
    if (error instanceof NotPossible) return { untold: error.message };
    throw error;
  }
}

/** Says in sentences what is missing for the windows. */
export async function warningsOfDisplay(): Promise<string[]> {
  const display = await findTellingDisplay();
  if (display.untold !== undefined) return [`${display.untold} ${policyDecides}`];
  display.xwayland.close();
  return [];
}

const policyDecides = 'The setting notice of the policy decides whether the screen is shown nevertheless.';

export type AgentWindows = PaneWindows & Pick<WaylandDesktop, 'untold'>;

export function windowsOn(display: TellingDisplay): AgentWindows {
  if (display.untold !== undefined) {
    const { untold } = display;
    const refuse = async (): Promise<never> => {
      throw new NotPossible(untold);
    };
    return { untold, banner: refuse, ask: refuse, inform: refuse, chat: refuse };
  }
  return paneWindows(paneScreenOf(display.xwayland, true));
}

/** Why a desktop ends, for those that are reached over the session bus. */
export const busGone =
  'The session bus of the person at the device has ended. They have probably signed out; if not, they must sign out and in again.';
export const displayGone =
  'The windows that tell the person at the device who is connected were closed with their display.';
