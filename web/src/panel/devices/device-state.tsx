/** The state of a device: online or last seen, and whether the plan restricts it. */
import { t } from '../texts/index.ts';
import { Badge } from '../ui/layout.tsx';
import { RelativeTime } from '../ui/time.tsx';
import type { Device } from './device.ts';

const texts = t.devices;

type Presence = Pick<Device, 'online' | 'last_time'>;

export const OnlineDot = ({ online }: Pick<Device, 'online'>) => (
  <span class={online ? 'dot on' : 'dot'} aria-hidden="true" />
);

export const DeviceState = ({ online, last_time }: Presence) => {
  if (online) return <>{texts.online}</>;
  if (last_time === 0) return <>{texts.never}</>;
  return (
    <>
      {texts.offlineSeen} <RelativeTime time={last_time} />
    </>
  );
};

export const RestrictionBadge = ({ disabled, limited }: Pick<Device, 'disabled' | 'limited'>) => {
  if (disabled)
    return (
      <span title={texts.blockedWhy}>
        <Badge tone="bad">{texts.blocked}</Badge>
      </span>
    );
  return limited ? (
    <span title={texts.limitedWhy}>
      <Badge tone="warn">{texts.limited}</Badge>
    </span>
  ) : null;
};

/** The state as plain text, for exports. */
export const stateText = ({ online, disabled, limited }: Device): string =>
  [online ? texts.online : texts.offline, disabled ? texts.blocked : limited && texts.limited]
    .filter(Boolean)
    .join(', ');
