/** The menus with the connection statistics and the safety code. */
import { element, fill } from '../../ui/element.ts';
import { menu } from '../../ui/menu.ts';
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { createStatsMeter, type ConnectionStats } from './connection-stats.ts';
import type { RemoteScreen } from '../screen/remote-screen.ts';
import { consoleTexts } from '../texts.ts';

const { status: texts, safety } = consoleTexts;
const refreshMs = 1_000;

const safetyPart = (session: RemoteSession): HTMLElement =>
  element(
    'div',
    { class: 'menu-note' },
    element('p', { class: 'safety-code', 'aria-label': safety.title }, session.code),
    element('p', {}, safety.text),
    element('p', { class: 'quiet' }, `${safety.encrypted} ${safety.trusted}`),
  );

export const safetyMenu = (session: RemoteSession): HTMLElement =>
  menu({ icon: 'safe', title: safety.title }, () => [
    { heading: safety.title },
    { content: safetyPart(session) },
  ]);

/** Shows a summary in the toolbar and a table in its menu, both updated every second. */
export function showStatus(
  session: RemoteSession,
  screen: RemoteScreen,
): { element: HTMLElement; stop(): void } {
  const line = element('span', { class: 'status-line' });
  const table = element('dl', { class: 'status-table' });
  const count = () => ({ frames: screen.drawn, bytes: session.traffic.sent + session.traffic.received });
  const measure = createStatsMeter(performance.now(), count());
  const dot = element('span', { class: 'status-dot' });
  let stats: ConnectionStats = { framesPerSecond: 0, kilobytesPerSecond: 0 };
  const draw = (): void => {
    line.textContent = `${texts.milliseconds(session.roundTrip)} · ${texts.kilobytes(stats.kilobytesPerSecond)}`;
    dot.classList.toggle('away', session.state.phase !== 'live');
    fill(table, ...rows(session, stats));
  };
  const unsubscribe = session.onChange(draw);
  const timer = setInterval(() => {
    stats = measure(performance.now(), count());
    draw();
  }, refreshMs);
  draw();
  const statusMenu = menu({ icon: 'check', title: texts.title }, () => [
    { heading: texts.title },
    { content: table },
  ]);
  const opener = statusMenu.querySelector('.tool')!;
  opener.classList.add('status');
  fill(opener, dot, line);
  const stop = (): void => {
    clearInterval(timer);
    unsubscribe();
  };
  return { element: statusMenu, stop };
}

function rows(
  session: RemoteSession,
  { framesPerSecond, kilobytesPerSecond }: ConnectionStats,
): HTMLElement[] {
  const pairs: [string, string][] = [
    [texts.transport, texts[session.transport]],
    [texts.roundTrip, texts.milliseconds(session.roundTrip)],
    [texts.speed, texts.kilobytes(kilobytesPerSecond)],
    [texts.frames, texts.perSecond(framesPerSecond)],
  ];
  return pairs.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
}
