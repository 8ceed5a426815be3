/** The tab with the hardware of a device, in sections. */
import { t } from '../../../texts/index.ts';
import { DescriptionList, Section } from '../../../ui/layout.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { toHardwareSections, type HardwareSection, type HardwarePart } from '../hardware-sections.ts';
import type { TabProps } from '../device-details.ts';

/** The share from which a disk is marked as nearly full. */
const nearlyFull = 0.9;

const Usage = ({ title, usage }: { title: string; usage: NonNullable<HardwarePart['usage']> }) => (
  <div class="meter-row">
    <div
      class={usage.part > nearlyFull ? 'meter bad' : 'meter'}
      role="meter"
      aria-label={t.hardware.usage(title)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(usage.part * 100)}
      aria-valuetext={usage.text}
    >
      <div style={{ width: `${usage.part * 100}%` }} />
    </div>
    <p class="quiet">{usage.text}</p>
  </div>
);

const PartView = ({ part: { title, facts, usage } }: { part: HardwarePart }) => (
  <div class="part">
    <h3>{title}</h3>
    {usage && <Usage title={title} usage={usage} />}
    {facts.length > 0 && <DescriptionList items={facts} />}
  </div>
);

const SectionView = ({ section: { title, facts, parts } }: { section: HardwareSection }) => (
  <Section title={title}>
    {facts.length > 0 && <DescriptionList items={facts} />}
    {parts.map((part, index) => (
      <PartView key={index} part={part} />
    ))}
  </Section>
);

export function HardwareTab({ info }: TabProps) {
  const sections = toHardwareSections(info.hardware);
  if (sections.length === 0) return <EmptyState icon="view" title={t.hardware.none} />;
  return (
    <div class="columns">
      {sections.map((section) => (
        <SectionView key={section.title} section={section} />
      ))}
    </div>
  );
}
