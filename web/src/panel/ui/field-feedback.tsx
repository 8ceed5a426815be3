/** Which field of a form was to blame when the server said no, and the sentence below it. */
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useId } from 'preact/hooks';

interface FieldErrorInfo {
  /** The fields of the form, by name: one that is to blame shows the sentence itself. */
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
  /** Names the hint and the sentence of the refusal, where there are such. */
  describedBy: string | undefined;
  problem: string | undefined;
}

/** Whether the server blames the field of this name, and what it says. */
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

/** Below a field: what is wrong with it, and what to know of it. */
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
