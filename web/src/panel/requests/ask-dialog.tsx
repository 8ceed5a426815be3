/** The dialog with which somebody asks for access to a device or a group. */
import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { t } from '../texts/index.ts';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { Checkbox, Form, Select, TextField } from '../ui/forms/form.tsx';
import { showNotice } from '../ui/notices.ts';
import { ResourceView } from '../ui/states.tsx';
import { readableDuration } from '../ui/time.tsx';
import { useRequestOptions, type RequestOptions } from './request-data.ts';

const texts = t.requests.ask;

/** What somebody asks for access to. */
type AskedTarget = { agent_id: number; name: string } | { group_id: number; name: string };

const rolesFor = ({ data }: RequestOptions, target: AskedTarget) =>
  data.filter(({ type }) => type === ('agent_id' in target ? 'agent' : 'group'));

/** The durations that are offered, in minutes, as far as the account allows them. */
const durations = [15, 30, 60, 120, 240, 480, 1_440, 10_080];

const durationOptions = (most: number): { value: string; text: string }[] => {
  const offered = durations.filter((minutes) => minutes <= most);
  return (offered.length === 0 ? [most] : offered).map((minutes) => ({
    value: String(minutes),
    text: readableDuration(minutes * 60),
  }));
};

const EmergencyBox = (box: { checked: boolean; onChange: (checked: boolean) => void }) => (
  <Checkbox label={texts.emergency} hint={texts.emergencyHint} {...box} />
);

interface AskFormProps {
  target: AskedTarget;
  options: RequestOptions;
  close: () => void;
}

function AskForm({ target, options, close }: AskFormProps) {
  const roles = rolesFor(options, target);
  const lengths = durationOptions(options.max_minutes);
  const [role, setRole] = useState(String(roles[0]?.id ?? ''));
  const [minutes, setMinutes] = useState(
    lengths.find(({ value }) => value === '60')?.value ?? lengths[0]!.value,
  );
  const [reason, setReason] = useState('');
  const [emergency, setEmergency] = useState(false);
  const send = async (): Promise<void> => {
    const on = 'agent_id' in target ? { agent_id: target.agent_id } : { group_id: target.group_id };
    const wanted = { role_id: Number(role), ...on, minutes: Number(minutes), reason };
    await post(emergency ? 'v1/team/access/emergency' : 'v1/team/access/request/create', wanted);
    close();
    showNotice(emergency ? texts.taken : texts.sent);
  };
  return (
    <Form onSubmit={send} submit={texts.send}>
      <Select
        label={texts.role}
        name="role_id"
        value={role}
        onChange={setRole}
        options={roles.map(({ id, name }) => ({ value: String(id), text: name }))}
      />
      <Select label={texts.minutes} name="minutes" value={minutes} onChange={setMinutes} options={lengths} />
      <TextField
        label={texts.reason}
        name="reason"
        hint={texts.reasonHint}
        value={reason}
        maxLength={500}
        onInput={setReason}
        autocomplete="off"
        autofocus
      />
      {options.emergency && <EmergencyBox checked={emergency} onChange={setEmergency} />}
    </Form>
  );
}

function AskDialog({ target, close }: Omit<AskFormProps, 'options'>) {
  const options = useRequestOptions();
  return (
    <Dialog title={texts.title(target.name)} onClose={close}>
      <ResourceView resource={options}>
        {(found) => {
          if (found.max_minutes === 0) return <p class="quiet">{texts.off}</p>;
          if (rolesFor(found, target).length === 0) return <p class="quiet">{texts.noRoles}</p>;
          return <AskForm target={target} options={found} close={close} />;
        }}
      </ResourceView>
    </Dialog>
  );
}

export const openAskDialog = (target: AskedTarget): Promise<void> =>
  openDialog((close) => <AskDialog target={target} close={close} />);
