/** One meter of a plan: its name, a bar and the usage as text. */
import { t } from '../texts/index.ts';
import { Badge } from '../ui/layout.tsx';
import { AbsoluteTime } from '../ui/time.tsx';
import { leftText, shareOf, urgencyOf, usedText, type PlanMeter, type MeterName } from './meters.ts';

const texts = t.admin.plan;

interface MeterRowProps {
  name: MeterName;
  meter: PlanMeter;
  /** When the count starts again at zero. */
  resets?: number;
  says?: string;
}

const Bar = ({ name, meter }: MeterRowProps) => {
  const share = shareOf(meter);
  if (share === undefined) return null;
  return (
    <div
      class={`meter ${urgencyOf(meter)}`}
      role="meter"
      aria-label={texts.names[name]}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={usedText(name, meter)}
    >
      <div style={{ width: `${share * 100}%` }} />
    </div>
  );
};

export const MeterRow = ({ name, meter, resets, says }: MeterRowProps) => {
  const left = leftText(name, meter);
  return (
    <div class="meter-row">
      <div class="bar">
        <strong>{texts.names[name]}</strong>
        <span class="spread" />
        <Badge tone={urgencyOf(meter)}>{left ?? texts.unlimitedBadge}</Badge>
      </div>
      <Bar name={name} meter={meter} />
      <p>{usedText(name, meter)}</p>
      {(says !== undefined || resets !== undefined) && (
        <p class="hint">
          {says}{' '}
          {resets !== undefined && meter.limit !== undefined && (
            <>
              {texts.resets} <AbsoluteTime time={resets} />.
            </>
          )}
        </p>
      )}
    </div>
  );
};
