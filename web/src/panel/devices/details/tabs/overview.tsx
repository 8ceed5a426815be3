/** The overview tab: details, running sessions, links and notes of a device. */
import type { ComponentChildren } from 'preact';
import { t } from '../../../texts/index.ts';
import { DescriptionList, Section } from '../../../ui/layout.tsx';
import { RelativeTime, AbsoluteTime } from '../../../ui/time.tsx';
import { readableId } from '../../device.ts';
import { DeviceLinks } from '../links.tsx';
import { DeviceNotes } from '../notes.tsx';
import { osName } from '../../os.ts';
import { Preview } from '../../preview.tsx';
import { may } from '../../rights.ts';
import { DeviceSessions } from '../device-sessions.tsx';
import type { DeviceDetails, TabProps } from '../device-details.ts';
import { DeviceState } from '../../device-state.tsx';

const texts = t.device.facts;

type Fact = readonly [string, ComponentChildren];

const placeOf = ({ country, region, city }: DeviceDetails['info']['geo']): string =>
  [city, region, country].filter(Boolean).join(', ');

function factsOf({ info }: DeviceDetails): Fact[] {
  const { hardware, sessions, geo } = info;
  const system = [hardware.OSName, hardware.OSVersion].filter(Boolean).join(' ') || osName(info.os);
  const all: readonly Fact[] = [
    [texts.state, <DeviceState {...info} />],
    [texts.id, readableId(info.device_id)],
    [texts.group, info.group || t.devices.noGroup],
    [texts.os, system],
    [texts.user, info.os_user],
    [texts.address, geo.ip],
    [texts.place, placeOf(geo)],
    [texts.power, info.power_supply ? texts.onMains : texts.onBattery],
    [texts.sleep, info.hibernate ? t.common.yes : t.common.no],
    [texts.rdp, info.rdp ? texts.supported : texts.notSupported],
    [texts.installed, info.version && (info.installed ? texts.service : texts.portable)(info.version)],
    [texts.linked, <AbsoluteTime time={info.link_time} />],
    [texts.lastTime, info.online || info.last_time === 0 ? '' : <AbsoluteTime time={info.last_time} />],
    [texts.owner, info.owner],
    [texts.sessions, sessions.total > 0 ? String(sessions.total) : ''],
    [texts.lastSession, sessions.last ? <RelativeTime time={sessions.last.start_time} /> : ''],
  ];
  return all.filter(([, value]) => value !== '');
}

export const OverviewTab = ({ device, info, reload, refresh }: TabProps) => (
  <>
    {may(device, 'agent_sessions') && <DeviceSessions device={device} />}
    <div class="columns">
      <div class="stack">
        <Section title={texts.title}>
          <DescriptionList items={factsOf({ device, info })} />
        </Section>
        <DeviceNotes device={device} />
      </div>
      <div class="stack">
        {device.online && may(device, 'agent_preview') && (
          <Section title={t.device.previewTitle}>
            <Preview device={device} address={info.preview_url} />
          </Section>
        )}
        {(may(device, 'agent_connect') || may(device, 'agent_change_settings')) && (
          <DeviceLinks device={device} info={info} reload={reload} refresh={refresh} />
        )}
      </div>
    </div>
  </>
);
