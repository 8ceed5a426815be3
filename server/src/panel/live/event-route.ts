/** Where the panel listens: a stream that stays open for whoever is signed in, and for pages of this server alone. */
import { toErrorBody, faults, isFault, type Fault } from '@drawbridge/contract/faults';
import { backgroundHeader, panelPrefix } from '@drawbridge/contract/panel/index';
import { status } from '@drawbridge/contract/panel/row';
import type { PageResponse, Route } from '../../http/route.ts';
import type { PanelEvents } from './events.ts';
import { refusalFor, authenticateSession } from '../sign-in/guard.ts';
import type { PanelContext } from '../handler.ts';

type EventRouteDeps = Pick<PanelContext, 'store' | 'digestOf' | 'hmacOf' | 'now' | 'publicUrl'>;

const refusal = (refused: Fault): PageResponse => ({
  http: faults[refused.fault].http,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify({ status: status.forbidden, error: toErrorBody(refused) }),
});

export const eventStreamRoute = (context: EventRouteDeps, events: PanelEvents): Route => ({
  method: 'GET',
  path: `${panelPrefix}events`,
  async handle({ headers }) {
    // That a page listens does not mean that somebody sits before it.
    const caller = await authenticateSession({ ...headers, [backgroundHeader]: '1' }, context);
    const request = { method: 'GET', headers, now: context.now(), publicUrl: context.publicUrl };
    const refused = refusalFor('member', caller, request);
    if (refused || !caller) return refusal(refused!);
    const { accountId, memberId } = caller.actor;
    const lastId = headers['last-event-id'];
    const stream = await events.subscribe({
      accountId,
      memberId,
      sessionId: caller.session.id,
      lastId: typeof lastId === 'string' ? lastId : undefined,
    });
    if (isFault(stream)) return refusal(stream);
    // Proxies that gather answers before they pass them on are asked not to.
    return {
      http: 200,
      type: 'text/event-stream',
      body: stream,
      pool: 'streams',
      headers: { 'X-Accel-Buffering': 'no' },
      longLived: true,
    };
  },
});
