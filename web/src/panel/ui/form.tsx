/** Forms: what is sent, what is under way, and which field was to blame when the server said no. */
import type { ComponentChildren, InputHTMLAttributes, RefObject } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Refusal, sentenceOf } from '../refusal.ts';
import { t } from '../texts/index.ts';
import { Blamed, Notes, useBlame } from './blame.tsx';
import { Button } from './button.tsx';

interface FormProps {
  /** Resolves when it is done; whatever it throws is shown. */
  onSubmit: () => Promise<unknown>;
  children: ComponentChildren;
  submit: string;
  look?: 'primary' | 'danger';
  /** Beside the button that sends. */
  beside?: ComponentChildren;
  disabled?: boolean;
}

export function Form({ onSubmit, children, submit, look = 'primary', beside, disabled = false }: FormProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await onSubmit();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const fields = useRef(new Set<string>()).current;
  const field = problem instanceof Refusal ? problem.field : undefined;
  const isBeside = field !== undefined && fields.has(field);
  return (
    <form class="form" onSubmit={(event) => void send(event)} noValidate>
      <Blamed.Provider value={{ fields, field, says: problem === undefined ? '' : sentenceOf(problem) }}>
        {children}
      </Blamed.Provider>
      {problem !== undefined && !isBeside && (
        <p class="form-problem" role="alert">
          {sentenceOf(problem)}
        </p>
      )}
      <div class="row">
        {beside}
        <Button type="submit" look={look} busy={busy} disabled={disabled}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

interface Labelled {
  label: string;
  /** The name the server knows it by. */
  name: string;
  hint?: ComponentChildren;
}

interface TextFieldProps extends Labelled {
  value: string;
  onInput: (value: string) => void;
  type?: 'text' | 'email' | 'password' | 'number' | 'date' | 'search' | 'color';
  autocomplete?: string;
  placeholder?: string;
  maxLength?: number;
  required?: boolean;
  autofocus?: boolean;
  inputMode?: 'numeric' | 'text' | 'email';
}

export function TextField({ label, name, hint, value, onInput, ...input }: TextFieldProps) {
  const blaming = useBlame(name, hint);
  const { id, describedBy, problem } = blaming;
  return (
    <div class="labelled">
      <label for={id}>{label}</label>
      <input
        {...(input as InputHTMLAttributes)}
        id={id}
        name={name}
        class="field"
        value={value}
        aria-invalid={problem === undefined ? undefined : 'true'}
        aria-describedby={describedBy}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <Notes blaming={blaming} hint={hint} />
    </div>
  );
}

interface TextAreaProps extends Labelled {
  value: string;
  onInput: (value: string) => void;
  rows?: number;
  maxLength?: number;
}

export function TextArea({ label, name, hint, value, onInput, rows = 4, maxLength }: TextAreaProps) {
  const blaming = useBlame(name, hint);
  const { id, describedBy, problem } = blaming;
  return (
    <div class="labelled">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        class="field"
        rows={rows}
        maxLength={maxLength}
        value={value}
        aria-invalid={problem === undefined ? undefined : 'true'}
        aria-describedby={describedBy}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <Notes blaming={blaming} hint={hint} />
    </div>
  );
}

interface SelectProps extends Labelled {
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; text: string }[];
}

export function Select({ label, name, hint, value, onChange, options }: SelectProps) {
  const blaming = useBlame(name, hint);
  const { id, describedBy, problem } = blaming;
  return (
    <div class="labelled">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        class="field"
        value={value}
        aria-invalid={problem === undefined ? undefined : 'true'}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      <Notes blaming={blaming} hint={hint} />
    </div>
  );
}

interface CheckProps {
  label: ComponentChildren;
  checked: boolean;
  onChange: (checked: boolean) => void;
  hint?: string;
  disabled?: boolean;
}

export function Check({ label, checked, onChange, hint, disabled }: CheckProps) {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label for={id}>
        {label}
        {hint !== undefined && <span class="hint">{hint}</span>}
      </label>
    </div>
  );
}

/** A field to search with, without a form around it. */
export function SearchField({
  value,
  onInput,
  label,
  place,
}: {
  value: string;
  onInput: (value: string) => void;
  label: string;
  /** Lent the field itself, for whoever sets the focus on it. */
  place?: RefObject<HTMLInputElement | null>;
}) {
  return (
    <input
      ref={place ?? null}
      type="search"
      class="field search"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  );
}

/** A password with the rule it must follow. */
export const passwordHint = (): string => t.common.passwordRule;
