/** The part of the grant dialog that asks when the access ends. */
import { t } from '../../texts/index.ts';
import { Select, TextField } from '../../ui/forms/form.tsx';
import { grantDurations, type GrantDraft } from './grant-draft.ts';

const texts = t.team.give;

const options = [
  { value: '', text: texts.noEnd },
  ...grantDurations.map((seconds) => ({ value: String(seconds), text: texts.lasts(seconds) })),
  { value: 'day', text: texts.untilDay },
];

interface PickEndProps {
  draft: GrantDraft;
  choose: (part: Partial<GrantDraft>) => void;
}

export const PickEnd = ({ draft: { lasts, day }, choose }: PickEndProps) => (
  <>
    <Select
      label={texts.end}
      name="lasts"
      hint={texts.endHint}
      value={lasts}
      onChange={(value) => choose({ lasts: value })}
      options={options}
    />
    {lasts === 'day' && (
      <TextField
        label={texts.day}
        name="until"
        type="date"
        value={day}
        onInput={(value) => choose({ day: value })}
      />
    )}
  </>
);
