/** A select to filter by, beside a search field; its label is visible only to screen readers and as a tooltip. */

interface FilterSelectProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; text: string }[];
}

export const FilterSelect = ({ label, value, onChange, options }: FilterSelectProps) => (
  <select
    class="field filter-select"
    aria-label={label}
    title={label}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  >
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.text}
      </option>
    ))}
  </select>
);
