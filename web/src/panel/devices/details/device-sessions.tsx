/** The running sessions of a device. */
import { get, post, type ApiRequestOptions } from '../../api.ts';
import type { RunningSession } from '../../history/connection.ts';
import { useResource } from '../../resource.ts';
import { loadPersonLabels } from '../../team/people/load-person-names.ts';
import { t } from '../../texts/index.ts';
import { TextButton } from '../../ui/button.tsx';
import { confirmAction } from '../../ui/dialog.tsx';
import { Section } from '../../ui/layout.tsx';
import { attempt } from '../../ui/notices.ts';
import { RelativeTime } from '../../ui/time.tsx';
import type { Device } from '../device.ts';
import { may } from '../rights.ts';

const texts = t.device.running;

interface Session extends RunningSession {
  /** The operator, with their name. */
  operator: string;
}

async function loadSessions(agent_id: number, options: ApiRequestOptions): Promise<Session[]> {
  const { data } = await get('v1/sessions/list', { agent_id, limit: 100 }, options);
  const labelOf = await loadPersonLabels(
    data.map(({ login }) => login),
    options,
  );
  return data.map((each) => ({ ...each, operator: each.login && labelOf(each.login) }));
}

async function end({ id }: Session): Promise<void> {
  const question = { title: texts.endTitle, text: texts.endText, yes: texts.end };
  if (await confirmAction(question)) await attempt(() => post('v1/sessions/close', { id }), texts.ended);
}

/** Renders nothing while nobody is connected. */
export function DeviceSessions({ device }: { device: Device }) {
  const sessions = useResource(`running ${device.id}`, (options) => loadSessions(device.id, options), [
    'sessions',
  ]);
  const running = sessions.value.value ?? [];
  if (running.length === 0) return null;
  return (
    <Section title={texts.title}>
      <ul class="waiting">
        {running.map((session) => (
          <li key={session.id}>
            <span class="two-lines">
              <strong>{texts.who(session.operator)}</strong>
              <span class="quiet">
                {texts.started} <RelativeTime time={session.start} /> {session.ip && texts.from(session.ip)}
              </span>
            </span>
            {may(device, 'agent_connect') && (
              <TextButton onClick={() => void end(session).then(() => sessions.reload())}>
                {texts.end}
              </TextButton>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
