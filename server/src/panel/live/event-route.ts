/** The route of the panel's event stream: stays open for signed-in people, and only for pages of this server. */
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
    // An open stream does not mean that the person is active.
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
    // Asks proxies not to buffer the response.
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
