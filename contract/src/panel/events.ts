/** Events for an open panel. An event names what changed; the panel then fetches the current value. */
import * as z from 'zod';
import { id } from '../fields.ts';
import { list } from '../list.ts';

const topics = [
  'agents',
  'groups',
  'support',
  'sessions',
  'team',
  'keys',
  'account',
  'me',
  'notifications',
  'server',
] as const;
export type Topic = (typeof topics)[number];

/**
 * `ids` names the devices, invitations or sessions if they are few; it is absent if all may have changed. If the caller's
 * own permissions change, the topic `me` is sent together with every topic that depends on permissions.
 */
const panelEvent = z.object({ topic: z.enum(topics), ids: list(id, { max: 200 }).optional() });
export type PanelEvent = z.output<typeof panelEvent>;

/**
 * The stream at `/panel/api/events` (Server-Sent Events). `change` carries a `PanelEvent`. After `reset`, events may have
 * been lost and the panel fetches everything it shows again. `end` means that the person is signed out.
 */
export const eventNames = ['change', 'reset', 'end'] as const;
