/** Many devices as JSON text, in parts, so that a long list never holds up other requests. */
import type { Actor } from '../domain/access.ts';
import type { ListedAgent } from '../store/store.ts';
import { agentWriter } from './agent-view.ts';
import type { House } from './handler.ts';

/** How many devices are written before others get their turn. */
const partSize = 500;

export async function listAgents(
  found: readonly ListedAgent[],
  actor: Actor,
  ownerEmail: string,
  house: House,
): Promise<Buffer[]> {
  const write = agentWriter(actor, ownerEmail, await house.store.plan.state(actor.accountId), house);
  const parts: Buffer[] = [];
  for (let start = 0; start < found.length; start += partSize) {
    if (start > 0) await house.breathe();
    const part = found.slice(start, start + partSize);
    await keepMissing(part, actor, house);
    const text = part.flatMap((agent) => {
      const pieces = house.views.of(agent.id, agent.revision);
      return pieces ? [write(agent, pieces)] : []; // removed since it was found
    });
    if (text.length > 0) parts.push(Buffer.from((parts.length > 0 ? ',' : '') + text.join(',')));
  }
  return [Buffer.from('['), ...parts, Buffer.from(']')];
}

/** Loads the devices of this part that changed since they were last written. */
async function keepMissing(
  part: readonly ListedAgent[],
  actor: Actor,
  { store, views }: House,
): Promise<void> {
  const missing = part.filter((agent) => !views.of(agent.id, agent.revision)).map((agent) => agent.id);
  for (const agent of await store.agents.details(actor, missing)) views.keep(agent);
}
