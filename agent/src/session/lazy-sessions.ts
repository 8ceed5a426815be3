/** Loads the code of sessions when the agent has started, or with the first session if that comes earlier. */
import type { AgentSessions, AgentSessionsOptions } from './agent-sessions.ts';

export interface LazySessions {
  open: AgentSessions['open'];
  end: AgentSessions['end'];
  record: AgentSessions['record'];
  measure: AgentSessions['measure'];
  policyChanged: AgentSessions['policyChanged'];
  stop: AgentSessions['stop'];
  /** Whether no operator is connected or connecting. */
  isIdle(): Promise<boolean>;
}

/** Loading delays other work of the agent, so it waits until the agent is connected. */
const preloadAfterMs = 2_000;

/** Where a person must agree to each session, nothing is opened before. */
const isScreenOpenedAtOnce = ({ policy, approvals }: Pick<AgentSessionsOptions, 'policy' | 'approvals'>) =>
  policy().confirm !== 'always' && approvals?.isRequired() !== true;

export function createLazySessions(options: Omit<AgentSessionsOptions, 'features'>): LazySessions {
  let loaded: Promise<AgentSessions> | undefined;
  const load = async (): Promise<AgentSessions> => {
    const [{ createAgentSessions }, { features }] = await Promise.all([
      import('./agent-sessions.ts'),
      import('./features/index.ts'),
    ]);
    return createAgentSessions({ ...options, features });
  };
  // Failures are those of the first session.
  const preload = async (): Promise<void> => {
    const opensScreen = isScreenOpenedAtOnce(options);
    await Promise.all([(loaded ??= load()), options.platform.preload({ opensScreen })]);
    await (await import('../screen/lossy-encoder.ts')).loadCodecs();
  };
  setTimeout(() => void preload().catch(() => {}), preloadAfterMs).unref();
  return {
    open: async (input) => (await (loaded ??= load())).open(input),
    end: (session, message) => void loaded?.then((sessions) => sessions.end(session, message)),
    record: async (input) => (await (loaded ??= load())).record(input),
    measure: async (relays) => (await (loaded ??= load())).measure(relays),
    policyChanged: () => void loaded?.then((sessions) => sessions.policyChanged()),
    stop: async (message) => (await loaded)?.stop(message),
    isIdle: async () => (await loaded)?.isIdle() ?? true,
  };
}
