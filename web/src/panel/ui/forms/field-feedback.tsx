/** Error messages and hints below form fields: which field caused the error, and what the server said. */
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useId } from 'preact/hooks';

interface FieldErrorInfo {
  /** The names of the form's fields. A field that is listed here shows its error itself. */
  fields: Set<string>;
  field: string | undefined;
  message: string;
}

export const FieldErrorContext = createContext<FieldErrorInfo>({
  fields: new Set(),
  field: undefined,
  message: '',
});

interface FieldFeedback {
  id: string;
  /** The id of the element with hint and error, if there is one. */
  describedBy: string | undefined;
  problem: string | undefined;
}

/** Finds the error of the field with this name. */
export function useFieldFeedback(name: string, hint?: ComponentChildren): FieldFeedback {
  const id = useId();
  const { fields, field, message } = useContext(FieldErrorContext);
  fields.add(name);
  const problem = field === name ? message : undefined;
  const isDescribed = hint !== undefined || problem !== undefined;
  return { id, describedBy: isDescribed ? `${id}-notes` : undefined, problem };
}

interface FieldNotesProps {
  feedback: FieldFeedback;
  hint?: ComponentChildren;
}

/** The error and the hint below a field. */
export const FieldNotes = ({ feedback: { describedBy, problem }, hint }: FieldNotesProps) =>
  describedBy === undefined ? null : (
    <div id={describedBy} class="notes">
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
      {hint !== undefined && <p class="hint">{hint}</p>}
    </div>
  );
