/** The sessions of this device, whose code is loaded with the first of them: most devices wait for long. */
import type { Sessions, SessionsOptions } from './sessions.ts';

export interface SessionsLater {
  open(...given: Parameters<Sessions['open']>): Promise<void>;
  end: Sessions['end'];
  stop: Sessions['stop'];
}

export function sessionsLater(options: Omit<SessionsOptions, 'features'>): SessionsLater {
  let loaded: Promise<Sessions> | undefined;
  const load = async (): Promise<Sessions> => {
    const [{ createSessions }, { features }] = await Promise.all([
      import('./sessions.ts'),
      import('./features/index.ts'),
    ]);
    return createSessions({ ...options, features: features });
  };
  return {
    open: async (input) => (await (loaded ??= load())).open(input),
    end: (session, message) => void loaded?.then((sessions) => sessions.end(session, message)),
    stop: async (message) => (await loaded)?.stop(message),
  };
}
