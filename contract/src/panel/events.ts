/** What the panel is told while it is open: that something changed, never what it became. Whoever may see it asks for it. */
import * as z from 'zod';
import { id } from '../fields.ts';
import { list } from '../list.ts';

export const topics = ['agents', 'groups', 'support', 'sessions', 'team', 'keys', 'account', 'me'] as const;
export type Topic = (typeof topics)[number];

/**
 * `ids` of devices, invitations or sessions where they are few; absent when all may have changed. With a change of one's
 * own rights, `me` comes together with every topic that looks different by rights.
 */
export const panelEvent = z.object({ topic: z.enum(topics), ids: list(id, { max: 200 }).optional() });
export type PanelEvent = z.output<typeof panelEvent>;

/**
 * The stream at `/panel/api/events` (Server-Sent Events): `change` carries a `PanelEvent`; `reset` says that some may
 * have been missed and everything shown should be asked for anew; `end` says that one is signed out.
 */
export const eventNames = ['change', 'reset', 'end'] as const;
