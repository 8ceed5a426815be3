/** Stops a server in order: load balancers notice, devices and sessions move to other servers, requests finish, all is closed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import type { Gateway } from '../gateway/devices/gateway.ts';
import type { PortListener } from '../http/connection/listener.ts';
import type { PanelEvents } from '../panel/live/events.ts';
import type { CloseStack } from './close-stack.ts';
import type { ComposedSessions } from './compose-sessions.ts';

interface StoppableServer {
  config: Config;
  lifecycle: { draining: boolean };
  listener: PortListener;
  gateway: Gateway;
  sessions: ComposedSessions;
  events: PanelEvents;
  closing: CloseStack;
}

/** The parts of the remaining time in which devices are sent away, and in which sessions wait for their devices. */
const [devicesPart, sessionsPart] = [0.4, 0.8];

export async function stopServer(server: StoppableServer, graceMs: number): Promise<void> {
  const { config, lifecycle, listener, gateway, sessions, events, closing } = server;
  lifecycle.draining = true;
  const noticeMs = Math.min(config.drainNoticeSeconds * 1_000, graceMs);
  if (noticeMs > 0) await sleep(noticeMs);
  const leftMs = graceMs - noticeMs;
  const drained = listener.close(leftMs);
  events.close();
  if (config.bus) await moveAway(server, leftMs);
  await Promise.allSettled([gateway.close(), sessions.close(), drained]);
  await closing.closeAll(); // reports what failed
}

/** A server without a bus has no others: its devices and sessions wait until it is back. */
async function moveAway({ gateway, sessions }: StoppableServer, leftMs: number): Promise<void> {
  const sent = gateway.drain(sessions.deviceIds(), leftMs * devicesPart);
  await Promise.all([sent, sessions.drain(gateway.holds, leftMs * sessionsPart)]);
}
