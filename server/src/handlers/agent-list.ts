/** Writes the devices of a list as JSON text in parts, so that a long list does not block other requests. */
import type { Actor } from '../domain/people/access.ts';
import type { ListedAgent } from '../store/store.ts';
import { createAgentWriter } from './agent-view.ts';
import type { CallerContext, HandlerContext } from './handler.ts';
import type { RenderedItem } from './rendered-item.ts';

/** How many devices are written before other requests are served. */
const partSize = 250;

/** Returns the text, and when time alone changes it. */
export async function renderAgentList(
  found: readonly ListedAgent[],
  caller: CallerContext,
  context: HandlerContext,
): Promise<{ items: RenderedItem[]; validUntil: number }> {
  const { actor, plan } = caller;
  const write = createAgentWriter(caller, await context.store.plan.state(actor.accountId, plan), context);
  const items: RenderedItem[] = [];
  for (let start = 0; start < found.length; start += partSize) {
    if (start > 0) await context.yieldToEventLoop();
    const part = found.slice(start, start + partSize);
    await cacheMissingViews(part, actor, context);
    for (const agent of part) {
      const fragments = context.views.get(agent.id, agent.revision);
      if (fragments) items.push(write.listed(agent, fragments)); // without fragments, the device has been removed meanwhile
    }
  }
  return { items, validUntil: write.validUntil() };
}

/** Loads the devices of this part that are not cached in their current revision. */
export async function cacheMissingViews(
  part: readonly ListedAgent[],
  actor: Actor,
  { store, views }: Pick<HandlerContext, 'store' | 'views'>,
): Promise<void> {
  const missing = part.filter((agent) => !views.get(agent.id, agent.revision)).map((agent) => agent.id);
  for (const agent of await store.agents.summaries(actor, missing)) views.put(agent);
}
