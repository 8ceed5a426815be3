/** A segmented control: radio buttons side by side. */
import { useId } from 'preact/hooks';

interface SegmentsProps<Value extends string> {
  label: string;
  options: readonly { value: Value; text: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

export function Segments<Value extends string>({ label, options, value, onChange }: SegmentsProps<Value>) {
  const name = useId();
  return (
    <div class="segments" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} class="segment">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.text}</span>
        </label>
      ))}
    </div>
  );
}
