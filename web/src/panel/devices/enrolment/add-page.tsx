/** The page that adds devices: creates an install command and shows devices as they appear. */
import { useState } from 'preact/hooks';
import { post, type OutputOf } from '../../api.ts';
import { serverNow } from '../../current-user.ts';
import { t } from '../../texts/index.ts';
import { TextButton } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copy.tsx';
import { Form, Select, TextField } from '../../ui/forms/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PageLayout, Section } from '../../ui/layout.tsx';
import { LoopbackWarning } from '../../ui/loopback-warning.tsx';
import { ResourceView } from '../../ui/states.tsx';
import { AbsoluteTime } from '../../ui/time.tsx';
import { useNewDevices } from './new-devices.ts';
import { ConnectButton } from '../list/device-parts.tsx';
import type { Device } from '../device.ts';
import { useInstallation, type Installation } from './installation.ts';
import { osName } from '../os.ts';
import { approveDevice, maxPendingShown, usePending } from './pending.tsx';
import { editableGroups } from '../rights.ts';
import { useDeviceList } from '../device-store.ts';
import { EnrolmentTokens } from './tokens.tsx';

const texts = t.devicesMore.add;

type Token = OutputOf<'v1/agents/enroll/create'>;

const periods = { hour: 3_600, day: 86_400, week: 604_800, month: 2_592_000 } as const;
type Period = keyof typeof periods;

const periodOptions = Object.keys(periods).map((value) => ({
  value,
  text: texts.periods[value as Period],
}));

const groupOptions = (): { value: string; text: string }[] => [
  { value: '0', text: texts.noGroup },
  ...editableGroups().map(({ id, name }) => ({ value: String(id), text: name })),
];

const createToken = (groupId: number, uses: number, period: Period): Promise<Token> =>
  post('v1/agents/enroll/create', {
    ...(groupId !== 0 && { group_id: groupId }),
    uses,
    expires: serverNow() + periods[period],
  });

function TokenForm({ onCreated }: { onCreated: (token: Token) => void }) {
  const [group, setGroup] = useState('0');
  const [uses, setUses] = useState('1');
  const [period, setPeriod] = useState<Period>('day');
  const send = async (): Promise<void> => onCreated(await createToken(Number(group), Number(uses), period));
  return (
    <Form onSubmit={send} submit={texts.make}>
      <div class="thirds">
        <Select
          label={texts.group}
          name="group_id"
          value={group}
          onChange={setGroup}
          options={groupOptions()}
        />
        <TextField
          label={texts.uses}
          name="uses"
          type="number"
          inputMode="numeric"
          hint={texts.usesHint}
          value={uses}
          onInput={setUses}
        />
        <Select
          label={texts.expires}
          name="expires"
          value={period}
          onChange={(chosen) => setPeriod(chosen as Period)}
          options={periodOptions}
        />
      </div>
    </Form>
  );
}

const commandWith = (line: string, token: Token): string => line.replace(/TOKEN$/, token.token);

const Commands = ({ line, windowsLine, token }: { line: string; windowsLine?: string; token: Token }) => (
  <>
    <h3>{texts.linux}</h3>
    <p>{texts.linuxText}</p>
    <CopyLine text={commandWith(line, token)} label={texts.line} />
    <h3>{texts.windows}</h3>
    <p>{windowsLine === undefined ? texts.noWindows : texts.windowsText}</p>
    {windowsLine !== undefined && (
      <CopyLine text={commandWith(windowsLine, token)} label={texts.windowsLine} />
    )}
    <p class="quiet">
      {texts.until} <AbsoluteTime time={token.expires} />. {texts.once}
    </p>
  </>
);

const systemNames: Record<string, string> = { linux: osName('linux'), windows: osName('win') };

const archNames = (files: Installation['files']): string =>
  files.map(({ os, arch }) => `${systemNames[os] ?? os} ${arch}`).join(', ');

function InstallSection({ token, onAnother }: { token: Token; onAnother: () => void }) {
  const installation = useInstallation();
  return (
    <Section title={texts.stepRun} actions={<TextButton onClick={onAnother}>{texts.another}</TextButton>}>
      <ResourceView resource={installation}>
        {(found) =>
          found.line === undefined ? (
            <p class="form-problem">{texts.notBuilt}</p>
          ) : (
            <>
              <Commands
                line={found.line}
                token={token}
                {...(found.windows_line !== undefined && { windowsLine: found.windows_line })}
              />
              <p class="quiet">{texts.architectures(archNames(found.files))}</p>
            </>
          )
        }
      </ResourceView>
      <h3>{texts.otherSystems}</h3>
      <p class="quiet">{texts.otherText}</p>
    </Section>
  );
}

const NewDevice = ({ device }: { device: Device }) => (
  <li class="arrived">
    <Icon name="check" />
    <span class="two-lines">
      <strong>
        <a href={`/panel/devices/${device.id}`}>{texts.here(device.name)}</a>
      </strong>
      <span class="quiet">{texts.hereText(osName(device.os), device.os_user)}</span>
    </span>
    <ConnectButton device={device} look="primary" />
  </li>
);

/** Announces each new device as soon as it appears. */
function NewDevices() {
  const added = useNewDevices();
  const pending = usePending();
  const waiting = pending.value.value ?? [];
  const isEmpty = added.length === 0 && waiting.length === 0;
  return (
    <div role="status" class="arrivals">
      {isEmpty && (
        <div class="arrived waits">
          <span class="spinner" aria-hidden="true" />
          <span class="two-lines">
            <strong>{texts.waiting}</strong>
            <span class="quiet">{texts.waitingText}</span>
          </span>
        </div>
      )}
      <ul>
        {waiting.slice(0, maxPendingShown).map((device) => (
          <li key={device.id} class="arrived">
            <Icon name="safe" />
            <strong>{texts.needsApproval(device.name)}</strong>
            <TextButton
              look="primary"
              onClick={() => void approveDevice(device).then(() => pending.reload())}
            >
              {t.devicesMore.pending.approve}
            </TextButton>
          </li>
        ))}
        {added.map((device) => (
          <NewDevice key={device.id} device={device} />
        ))}
      </ul>
    </div>
  );
}

export function AddDevicesPage() {
  const [token, setToken] = useState<Token | undefined>();
  useDeviceList();
  return (
    <PageLayout title={texts.title} lead={texts.lead}>
      <LoopbackWarning />
      {token ? (
        <>
          <InstallSection token={token} onAnother={() => setToken(undefined)} />
          <NewDevices />
        </>
      ) : (
        <Section>
          <TokenForm onCreated={setToken} />
        </Section>
      )}
      <EnrolmentTokens key={token?.id} />
    </PageLayout>
  );
}
