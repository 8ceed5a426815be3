/** What is written over the screen while it does not show the present: who is awaited, and why. */
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { consoleTexts } from './texts.ts';

type StatusSession = Pick<RemoteSession, 'state' | 'permissions' | 'unable' | 'client' | 'device'>;

/** Undefined while the screen is live. */
export function screenStatus(session: StatusSession): string | undefined {
  const { state, permissions, unable } = session;
  if (state.phase !== 'live') return awayStatus(session);
  return permissions.has('agent_connect') ? undefined : (unable['agent_connect'] ?? consoleTexts.noScreen);
}

function awayStatus({ state, client, device }: StatusSession): string {
  if (state.phase === 'asking') return askingText({ state, client, device });
  if (state.message !== '') return state.message;
  if (client === undefined) return consoleTexts.reconnecting;
  return client === 'joined' ? consoleTexts.client.returning : consoleTexts.client.gone;
}

/** A device with four eyes says itself what the second person has to do. */
export function askingText({
  state,
  client,
  device,
}: Pick<RemoteSession, 'state' | 'client' | 'device'>): string {
  if (state.awaits === 'approval') return state.message;
  return client === undefined ? consoleTexts.asking.text(device.name) : consoleTexts.client.asked;
}
