/** Opens a session in a new tab with a one-time link. */
import { postByQuery } from '../api.ts';
import { openTab } from '../open-tab.tsx';
import { attempt } from '../ui/notices.ts';

export function openDeviceSession(agentId: number, video?: boolean): void {
  const params = { agent_id: agentId, ...(video !== undefined && { video }) };
  void attempt(() => openTab(async () => (await postByQuery('v1/agents/connect', params)).data.url));
}
