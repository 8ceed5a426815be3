/** Whether the user of NATS that this server signs in as may use the subjects of the deployment. */
import { randomUUID } from 'node:crypto';
import type { BusConnection, BusRefusal } from './nats-connection.ts';

/** How long NATS may take to return a message to this server. */
const probeMs = 2_000;

/** Refused if the user of NATS may not use the subjects of the deployment. */
export async function checkRights({ nats }: BusConnection, prefix: string): Promise<BusRefusal | undefined> {
  if (!nats) return undefined;
  const subject = `${prefix}.probe.${randomUUID()}`;
  const { promise: arrived, resolve } = Promise.withResolvers<boolean>();
  const probe = nats.subscribe(subject, { max: 1, callback: (error) => resolve(error === null) });
  nats.publish(subject);
  const timer = setTimeout(resolve, probeMs, false);
  const isAllowed = await arrived;
  clearTimeout(timer);
  if (isAllowed) return undefined;
  probe.unsubscribe();
  return { refused: `it must be allowed to publish and to subscribe to ${prefix}.>` };
}
