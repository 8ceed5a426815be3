/** Forms and their fields: submitting, the busy state, and errors at the field that caused them. */
import type { ComponentChildren, InputHTMLAttributes, RefObject } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { PanelApiError, toErrorMessage } from '../../panel-api-error.ts';
import { FieldErrorContext, FieldNotes, useFieldFeedback } from './field-feedback.tsx';
import { TextButton } from '../button.tsx';

interface FormProps {
  /** Resolves when the form is submitted; the form shows any error it throws. */
  onSubmit: () => Promise<unknown>;
  children: ComponentChildren;
  submit: string;
  look?: 'primary' | 'danger';
  /** Shown beside the submit button. */
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
  const field = problem instanceof PanelApiError ? problem.field : undefined;
  const isShownAtField = field !== undefined && fields.has(field);
  return (
    <form class="form" onSubmit={(event) => void send(event)} noValidate>
      <FieldErrorContext.Provider
        value={{ fields, field, message: problem === undefined ? '' : toErrorMessage(problem) }}
      >
        {children}
      </FieldErrorContext.Provider>
      {problem !== undefined && !isShownAtField && (
        <p class="form-problem" role="alert">
          {toErrorMessage(problem)}
        </p>
      )}
      <div class="row">
        {beside}
        <TextButton type="submit" look={look} busy={busy} disabled={disabled}>
          {submit}
        </TextButton>
      </div>
    </form>
  );
}

interface FieldProps {
  label: string;
  /** The name of the parameter in the server's operation. */
  name: string;
  hint?: ComponentChildren;
}

/** Attributes that connect an input with its label, hint and error. */
interface InputProps {
  id: string;
  name: string;
  class: string;
  'aria-invalid': 'true' | undefined;
  'aria-describedby': string | undefined;
}

/** An input with its label above, and its hint and error below. */
function LabelledField({
  label,
  name,
  hint,
  render,
}: FieldProps & { render: (inputProps: InputProps) => ComponentChildren }) {
  const feedback = useFieldFeedback(name, hint);
  const { id, describedBy, problem } = feedback;
  return (
    <div class="labelled">
      <label for={id}>{label}</label>
      {render({
        id,
        name,
        class: 'field',
        'aria-invalid': problem === undefined ? undefined : 'true',
        'aria-describedby': describedBy,
      })}
      <FieldNotes feedback={feedback} hint={hint} />
    </div>
  );
}

interface TextFieldProps extends FieldProps {
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

export const TextField = ({ label, name, hint, value, onInput, ...input }: TextFieldProps) => (
  <LabelledField
    label={label}
    name={name}
    hint={hint}
    render={(inputProps) => (
      <input
        {...(input as InputHTMLAttributes)}
        {...inputProps}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    )}
  />
);

interface TextAreaProps extends FieldProps {
  value: string;
  onInput: (value: string) => void;
  rows?: number;
  maxLength?: number;
}

export const TextArea = ({ label, name, hint, value, onInput, rows = 4, maxLength }: TextAreaProps) => (
  <LabelledField
    label={label}
    name={name}
    hint={hint}
    render={(inputProps) => (
      <textarea
        {...inputProps}
        rows={rows}
        maxLength={maxLength}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    )}
  />
);

interface SelectProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; text: string }[];
}

export const Select = ({ label, name, hint, value, onChange, options }: SelectProps) => (
  <LabelledField
    label={label}
    name={name}
    hint={hint}
    render={(inputProps) => (
      <select {...inputProps} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    )}
  />
);

interface CheckboxProps {
  label: ComponentChildren;
  checked: boolean;
  onChange: (checked: boolean) => void;
  hint?: string;
  disabled?: boolean;
}

export function Checkbox({ label, checked, onChange, hint, disabled }: CheckboxProps) {
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

/** A search field outside a form. */
export function SearchField({
  value,
  onInput,
  label,
  inputRef,
}: {
  value: string;
  onInput: (value: string) => void;
  label: string;
  /** For callers that focus the field. */
  inputRef?: RefObject<HTMLInputElement | null>;
}) {
  return (
    <input
      ref={inputRef ?? null}
      type="search"
      class="field search"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  );
}
