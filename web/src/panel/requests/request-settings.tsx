/** How long people can ask for access, and whether they can take it in an emergency. */
import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { signedInUser } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { Checkbox, Form, TextField } from '../ui/forms/form.tsx';
import { Section } from '../ui/layout.tsx';
import { showNotice } from '../ui/notices.ts';
import { ResourceView } from '../ui/states.tsx';
import { useRequestOptions, type RequestOptions } from './request-data.ts';

const texts = t.requests.settings;

function SettingsForm({ now }: { now: RequestOptions }) {
  const [minutes, setMinutes] = useState(String(now.max_minutes));
  const [emergency, setEmergency] = useState(now.emergency);
  const { owner } = signedInUser.value;
  const send = async (): Promise<void> => {
    const max_minutes = minutes.trim() === '' ? Number.NaN : Number(minutes);
    await post('v1/team/access/request/settings', { max_minutes, ...(owner && { emergency }) });
    showNotice(t.common.saved);
  };
  return (
    <Form onSubmit={send} submit={t.common.save}>
      <TextField
        label={texts.minutes}
        name="max_minutes"
        type="number"
        inputMode="numeric"
        hint={texts.minutesHint}
        value={minutes}
        onInput={setMinutes}
      />
      <Checkbox
        label={texts.emergency}
        hint={texts.emergencyHint}
        checked={emergency}
        disabled={!owner}
        onChange={setEmergency}
      />
    </Form>
  );
}

export function RequestSettings() {
  const options = useRequestOptions();
  return (
    <Section title={texts.title}>
      <ResourceView resource={options}>
        {(now) => <SettingsForm key={`${now.max_minutes} ${now.emergency}`} now={now} />}
      </ResourceView>
    </Section>
  );
}
