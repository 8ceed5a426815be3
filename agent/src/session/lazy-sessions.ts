/** Loads the code of sessions with the first session, because most devices wait for a long time before one. */
import type { AgentSessions, AgentSessionsOptions } from './agent-sessions.ts';

export interface LazySessions {
  open(...given: Parameters<AgentSessions['open']>): Promise<void>;
  end: AgentSessions['end'];
  record: AgentSessions['record'];
  stop: AgentSessions['stop'];
}

export function createLazySessions(options: Omit<AgentSessionsOptions, 'features'>): LazySessions {
  let loaded: Promise<AgentSessions> | undefined;
  const load = async (): Promise<AgentSessions> => {
    const [{ createAgentSessions }, { features }] = await Promise.all([
      import('./agent-sessions.ts'),
      import('./features/index.ts'),
    ]);
    return createAgentSessions({ ...options, features });
  };
  return {
    open: async (input) => (await (loaded ??= load())).open(input),
    end: (session, message) => void loaded?.then((sessions) => sessions.end(session, message)),
    record: async (input) => (await (loaded ??= load())).record(input),
    stop: async (message) => (await loaded)?.stop(message),
  };
}
