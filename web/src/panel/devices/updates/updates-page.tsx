/** The page about updates: versions, how they proceed, the settings, and the devices. */
import { get, post, type OutputOf } from '../../api.ts';
import { useResource } from '../../resource.ts';
import { t } from '../../texts/index.ts';
import { numeral } from '../../texts/language.ts';
import { TextButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { DescriptionList, PageLayout, Section } from '../../ui/layout.tsx';
import { attempt } from '../../ui/notices.ts';
import { ResourceView } from '../../ui/states.tsx';
import { UpdateDevices } from './update-devices.tsx';
import { UpdateSettingsSection } from './update-settings.tsx';

const texts = t.updates;

type UpdateStatus = OutputOf<'v1/agents/updates/status'>['data'];

const pause = (): Promise<boolean> => attempt(() => post('v1/agents/updates/pause', {}), texts.paused);
const resume = (): Promise<boolean> => attempt(() => post('v1/agents/updates/resume', {}), texts.resumed);

function noticeOf({ enabled, paused }: UpdateStatus): string | undefined {
  if (!enabled) return texts.off;
  if (paused === 'failures') return texts.pausedByFailures;
  return paused === 'person' ? texts.pausedByPerson : undefined;
}

const StatusNotice = ({ status, reload }: { status: UpdateStatus; reload: () => void }) => {
  const notice = noticeOf(status);
  return notice === undefined ? null : (
    <div class="banner" role="status">
      <Icon name={status.paused === 'failures' ? 'warning' : 'clock'} />
      <span>{notice}</span>
      {status.enabled && <TextButton onClick={() => void resume().then(reload)}>{texts.resume}</TextButton>}
    </div>
  );
};

const Status = ({ status }: { status: UpdateStatus }) => (
  <Section>
    <DescriptionList
      items={[
        [texts.offered, status.version || texts.noRelease],
        [
          texts.states,
          status.states.map(({ state, devices }) => (
            <div key={state}>{texts.count(texts.state[state], numeral(devices))}</div>
          )),
        ],
        [
          texts.versions,
          status.versions.map(({ version, devices }) => (
            <div key={version}>{texts.count(version || t.common.none, numeral(devices))}</div>
          )),
        ],
      ]}
    />
  </Section>
);

export function UpdatesPage() {
  const status = useResource(
    'update-status',
    async (options) => (await get('v1/agents/updates/status', {}, options)).data,
    ['account', 'agents'],
    { minPauseMs: 5_000 },
  );
  const reload = (): void => void status.reload();
  const isRunning = status.value.value?.enabled && status.value.value.paused === '';
  return (
    <PageLayout
      title={texts.title}
      lead={texts.lead}
      actions={isRunning && <TextButton onClick={() => void pause().then(reload)}>{texts.pause}</TextButton>}
    >
      <ResourceView resource={status}>
        {(found) => (
          <>
            <StatusNotice status={found} reload={reload} />
            <Status status={found} />
          </>
        )}
      </ResourceView>
      <UpdateSettingsSection onSaved={reload} />
      <UpdateDevices />
    </PageLayout>
  );
}
