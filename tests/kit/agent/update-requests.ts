/** Records which updates a device begins, without installing anything. */
import type { AgentOptions } from '@drawbridge/agent/agent';

export function recordUpdateRequests() {
  const requested: string[] = [];
  const createUpdates: NonNullable<AgentOptions['createUpdates']> = () => ({
    request: (version) => void requested.push(version),
    connected: () => {},
    disconnected: () => {},
    stop: () => {},
  });
  return { requested, createUpdates };
}
