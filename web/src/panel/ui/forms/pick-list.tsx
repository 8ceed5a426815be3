/** A searchable list of radio buttons, for choosing a person, a device or a group. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { foldText } from '../../fold-text.ts';
import { t } from '../../texts/index.ts';
import { FieldNotes, useFieldFeedback } from './field-feedback.tsx';

interface PickOption {
  value: string;
  text: string;
  /** Small text below the option. */
  hint?: string;
  /** Shown above the first of consecutive options with the same heading. */
  heading?: string;
}

interface PickListProps {
  label: string;
  /** The name of the parameter in the server's operation. */
  name: string;
  options: readonly PickOption[];
  value: string;
  onChange: (value: string) => void;
  hint?: ComponentChildren;
}

/** Lists longer than the threshold get a search field; at most `maxShown` options are rendered. */
const [searchThreshold, maxShown] = [7, 60];

export function PickList({ label, name, options, value, onChange, hint }: PickListProps) {
  const [search, setSearch] = useState('');
  const feedback = useFieldFeedback(name, hint);
  const { id, describedBy, problem } = feedback;
  const found = options.filter(({ text }) => foldText(text).includes(foldText(search.trim())));
  // The chosen option is always shown, wherever it is in the list.
  const shown = found.filter((option, index) => index < maxShown || option.value === value);
  return (
    <fieldset class="choice" aria-describedby={describedBy}>
      <legend>{label}</legend>
      {options.length > searchThreshold && <OptionSearch label={label} value={search} onInput={setSearch} />}
      <div class={problem === undefined ? 'choice-list' : 'choice-list blamed'}>
        {shown.map((option, index) => (
          <OptionRow
            key={option.value}
            option={option}
            isFirst={option.heading !== shown[index - 1]?.heading}
            group={id}
            chosen={option.value === value}
            choose={() => onChange(option.value)}
          />
        ))}
        {shown.length === 0 && (
          <p class="quiet">{options.length === 0 ? t.common.choice.empty : t.common.choice.none}</p>
        )}
        {found.length > shown.length && (
          <p class="quiet">{t.common.choice.more(found.length - shown.length)}</p>
        )}
      </div>
      <FieldNotes feedback={feedback} hint={hint} />
    </fieldset>
  );
}

interface OptionSearchProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
}

const OptionSearch = ({ label, value, onInput }: OptionSearchProps) => (
  <input
    type="search"
    class="field"
    aria-label={`${label}: ${t.common.search}`}
    placeholder={t.common.search}
    value={value}
    onInput={({ currentTarget }) => onInput(currentTarget.value)}
  />
);

interface OptionRowProps {
  option: PickOption;
  isFirst: boolean;
  group: string;
  chosen: boolean;
  choose: () => void;
}

function OptionRow({ option: { text, hint, heading }, isFirst, group, chosen, choose }: OptionRowProps) {
  const id = useId();
  return (
    <>
      {isFirst && heading !== undefined && <p class="choice-heading">{heading}</p>}
      <div class="choice-line">
        <input id={id} type="radio" name={group} checked={chosen} onChange={choose} />
        <label for={id}>
          {text}
          {hint !== undefined && <span class="hint">{hint}</span>}
        </label>
      </div>
    </>
  );
}
