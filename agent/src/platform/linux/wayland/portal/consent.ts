/** Asks the person through the portal when the desktop is first used, and tells what became of the question until then. */
import { setTimeout as pause } from 'node:timers/promises';
import { NotPossible } from '../../../platform.ts';
import type { SessionBus } from '../dbus/session-bus.ts';
import type { RestoreTokens } from '../wayland-path.ts';
import { portalInterface } from './requests.ts';
import { startPortalSession, type PortalSession } from './session.ts';

export interface Consent {
  /** Resolves with the session; throws NotPossible while the person is asked, after they declined, and after the desktop has ended it. */
  session(): Promise<PortalSession>;
  /** Resolves when the person allows it, however long that takes. */
  granted(): Promise<PortalSession>;
  /** Called when the answer is there, or the desktop has ended the session. */
  onChange(listener: () => void): void;
  close(): void;
}

/** A session that is restored starts at once, so that nothing needs to be said. */
const silentMs = 2_000;

const asking =
  'The desktop of the device asks the person there whether they share their screen. The screen is shown as soon as they allow it.';
const endedByDesktop =
  'The person at the device, or their desktop, has ended the sharing of the screen. To ask for it again, end the session and connect again.';

interface State {
  bus: SessionBus;
  tokens: RestoreTokens;
  withdrawn: AbortController;
  starting: Promise<PortalSession> | undefined;
  /** Whether the operator waits long enough to be told. */
  isLate: boolean;
  isGranted: boolean;
  whyEnded: string | undefined;
  path: string | undefined;
  listeners: Set<() => void>;
}

export function createConsent(bus: SessionBus, tokens: RestoreTokens): Consent {
  const state: State = {
    bus,
    tokens,
    withdrawn: new AbortController(),
    starting: undefined,
    isLate: false,
    isGranted: false,
    whyEnded: undefined,
    path: undefined,
    listeners: new Set(),
  };
  return {
    session: () => sessionOf(state),
    granted: () => (state.starting ??= start(state)),
    onChange: (listener) => void state.listeners.add(listener),
    close() {
      state.listeners.clear();
      state.withdrawn.abort();
      if (state.path !== undefined)
        void bus.call(portalInterface('Session', state.path), 'Close').catch(() => {});
    },
  };
}

async function sessionOf(state: State): Promise<PortalSession> {
  if (state.whyEnded !== undefined) throw new NotPossible(state.whyEnded);
  const starting = (state.starting ??= start(state));
  const late = state.isLate ? Promise.resolve() : pause(silentMs, undefined, { ref: false });
  const session = await Promise.race([starting, late]);
  if (session) return session;
  state.isLate = true;
  throw new NotPossible(asking);
}

async function start(state: State): Promise<PortalSession> {
  const { bus, tokens, withdrawn } = state;
  const notify = (): void => state.listeners.forEach((listener) => listener());
  const end = (why: string): void => {
    state.whyEnded ??= why;
    notify();
  };
  try {
    const session = await startPortalSession(bus, tokens, withdrawn.signal, async (path) => {
      state.path = path;
      await bus.onSignal(portalInterface('Session', path), 'Closed', () => {
        // A question that was declined ends with an answer of its own.
        if (state.isGranted) end(endedByDesktop);
      });
    });
    [state.isGranted, state.isLate] = [true, false];
    notify();
    return session;
  } catch (error) {
    end(error instanceof Error ? error.message : String(error));
    throw error;
  }
}
