/** The panel's device list, for up to 10,000 devices. One function per row of contract/src/panel/devices.ts. */
import { fault } from '@drawbridge/contract/faults';
import { permissionIds } from '@drawbridge/contract/permissions';
import type { devices as table } from '@drawbridge/contract/panel/devices';
import {
  mayGroup,
  scopedActorIndex,
  grantsByPermissionOnAgent,
  type Actor,
  type AgentRef,
} from '../../domain/people/access.ts';
import { isOnline } from '../../domain/devices/agents.ts';
import { isDisabled, isLimited, type PlanState } from '../../domain/people/plan.ts';
import { cacheMissingViews } from '../../handlers/agent-list.ts';
import type { AgentFragments } from '../../handlers/agent-view-cache.ts';
import { createPreviewUrlWriter } from '../../handlers/agent-view.ts';
import type { ListedAgent } from '../../store/store.ts';
import type { PanelHandlers } from '../handler.ts';

/** The number of devices that are written before yielding to the event loop. */
const batchSize = 500;

export const panelDeviceHandlers: PanelHandlers<typeof table> = {
  devices: async ({ actor, plan, input, granted: [scope] }, context) => {
    const { store, views } = context;
    const ids = input.ids?.split(',').map(Number);
    const found = await store.agents.list(actor, { scope, ids });
    const state = await store.plan.state(actor.accountId, plan);
    const rights = createRightsIndex(actor);
    const now = context.now();
    // Only for the few devices that are requested by id: those on the screen.
    const preview = ids ? createPreviewUrlWriter(actor, context) : undefined;
    const chunks: Buffer[] = [];
    for (let start = 0; start < found.length; start += batchSize) {
      if (start > 0) await context.yieldToEventLoop();
      const batch = found.slice(start, start + batchSize);
      await cacheMissingViews(batch, actor, context);
      const texts = batch.flatMap((agent) => {
        const fragments = views.get(agent.id, agent.revision);
        return fragments
          ? toDeviceJson(agent, fragments, { rights: rights.of(agent), state, now, preview })
          : []; // otherwise removed since
      });
      if (texts.length > 0) chunks.push(Buffer.from(`${chunks.length > 0 ? ',' : ''}${texts.join()}`));
    }
    const data = [Buffer.from('['), ...chunks, Buffer.from(']')];
    return { rendered: { member_id: String(actor.memberId), rights: rights.sets(), data } };
  },

  'groups/order': async ({ actor, input: { ids }, change }) =>
    ids.every((id) => mayGroup(actor, 'agent_change_settings', id))
      ? change('groups/order', { accountId: actor.accountId, ids })
      : fault('forbidden', { field: 'ids' }),
};

interface DeviceViewState {
  rights: number;
  state: PlanState;
  now: number;
  preview: ReturnType<typeof createPreviewUrlWriter> | undefined;
}

const toDeviceJson = (
  agent: ListedAgent,
  fragments: AgentFragments,
  { rights, state, now, preview }: DeviceViewState,
): string =>
  `${fragments.brief}${agent.groupId ?? 0},"online":${isOnline(agent, now)},"last_time":${agent.lastTime}` +
  `,"link_time":${agent.linkTime},"favorite":${agent.favorite},"disabled":${isDisabled(agent, state, now)}` +
  `,"limited":${isLimited(agent, state)},"rights":${rights}` +
  `${preview ? `,"preview_url":"${preview(agent, fragments)}"` : ''}}`;

/** Numbers the sets of permissions that somebody holds on devices; equal sets get the same number. */
function createRightsIndex(actor: Actor): { of(agentRef: AgentRef): number; sets(): string } {
  if (actor.owner) return { of: () => 0, sets: () => JSON.stringify([permissionIds('agent')]) };
  const scopedActor = scopedActorIndex(actor);
  const numbers = new Map<string, number>();
  const known = new Map<Actor, number>();
  const number = (scoped: Actor, agentRef: AgentRef): number => {
    const held = grantsByPermissionOnAgent(scoped, agentRef);
    const set = JSON.stringify(permissionIds('agent').filter((permission) => held.has(permission)));
    const found = numbers.get(set) ?? numbers.size;
    numbers.set(set, found);
    return found;
  };
  return {
    of(agentRef) {
      const scoped = scopedActor(agentRef);
      const found = known.get(scoped) ?? number(scoped, agentRef);
      known.set(scoped, found);
      return found;
    },
    sets: () => `[${[...numbers.keys()].join()}]`,
  };
}
