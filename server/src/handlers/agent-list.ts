/** Many devices as JSON text, in parts, so that a long list never holds up other requests. */
import type { Actor } from '../domain/access.ts';
import type { ListedAgent } from '../store/store.ts';
import { agentWriter } from './agent-view.ts';
import type { CallerContext, HandlerContext } from './handler.ts';

/** How many devices are written before others get their turn. */
const partSize = 250;

export async function listAgents(
  found: readonly ListedAgent[],
  caller: CallerContext,
  context: HandlerContext,
): Promise<Buffer[]> {
  const { actor, plan } = caller;
  const write = agentWriter(caller, await context.store.plan.state(actor.accountId, plan), context);
  const written: Buffer[] = [];
  for (let start = 0; start < found.length; start += partSize) {
    if (start > 0) await context.yieldToEventLoop();
    const part = found.slice(start, start + partSize);
    await keepMissing(part, actor, context);
    for (const agent of part) {
      const pieces = context.views.of(agent.id, agent.revision);
      if (pieces) written.push(write.listed(agent, pieces)); // else it was removed since it was found
    }
  }
  const [first, ...others] = written;
  return [opening, ...(first ? [first.subarray(1)] : []), ...others, closing];
}

const [opening, closing] = [Buffer.from('['), Buffer.from(']')];

/** Loads the devices of this part that changed since they were last written. */
export async function keepMissing(
  part: readonly ListedAgent[],
  actor: Actor,
  { store, views }: Pick<HandlerContext, 'store' | 'views'>,
): Promise<void> {
  const missing = part.filter((agent) => !views.of(agent.id, agent.revision)).map((agent) => agent.id);
  for (const agent of await store.agents.summaries(actor, missing)) views.keep(agent);
}
