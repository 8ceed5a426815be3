/** A combobox: the user types to search and chooses a result with the arrow keys or the mouse. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../../texts/index.ts';
import { IconButton } from '../button.tsx';

export interface ComboboxOption {
  value: string;
  text: string;
  /** Small text after the option. */
  hint?: string;
}

interface ComboboxProps {
  label: string;
  placeholder: string;
  chosen: ComboboxOption | undefined;
  onChoose: (choice: ComboboxOption | undefined) => void;
  /** Finds the options that match the typed text. */
  find: (text: string, signal: AbortSignal) => Promise<readonly ComboboxOption[]>;
  /** Turns the typed text into an option, if it is valid as it is. */
  asTyped?: (text: string) => ComboboxOption | undefined;
}

const debounceMs = 150;

export function Combobox(props: ComboboxProps) {
  const { label, chosen } = props;
  const id = useId();
  const state = useCombobox(props);
  const { typed, found } = state;
  return (
    <div class="labelled chooser">
      <label for={id}>{label}</label>
      <div class="chooser-field">
        <ComboboxInput id={id} {...props} state={state} />
        {chosen && typed === undefined && (
          <IconButton
            icon="end"
            title={t.common.chooser.clear(label)}
            onClick={() => props.onChoose(undefined)}
          />
        )}
      </div>
      <OptionList id={id} label={label} state={state} />
      {typed !== undefined && found?.length === 0 && (
        <p class="chooser-list chooser-nothing" role="status">
          {t.common.chooser.nothing}
        </p>
      )}
    </div>
  );
}

interface ComboboxInputProps extends ComboboxProps {
  id: string;
  state: ComboboxState;
}

function ComboboxInput({ id, placeholder, chosen, state }: ComboboxInputProps) {
  const { typed, setTyped, found, at, close, choose } = state;
  const isOpen = typed !== undefined && found !== undefined;
  return (
    <input
      id={id}
      class="field"
      role="combobox"
      aria-autocomplete="list"
      aria-expanded={isOpen ? 'true' : 'false'}
      aria-controls={`${id}-list`}
      aria-activedescendant={isOpen && found[at] ? `${id}-${at}` : undefined}
      autocomplete="off"
      placeholder={placeholder}
      value={typed ?? chosen?.text ?? ''}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onClick={() => typed === undefined && setTyped('')}
      onKeyDown={(event) => handleKey(state, event)}
      onBlur={() => (typed?.trim() ? choose(undefined) : close())}
    />
  );
}

function handleKey(
  { typed, setTyped, found, at, setAt, close, choose }: ComboboxState,
  event: KeyboardEvent,
): void {
  const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape' && typed !== undefined) {
    event.preventDefault();
    close();
  } else if (event.key === 'Enter') {
    event.preventDefault();
    choose(found?.[at]);
  } else if (move !== undefined) {
    event.preventDefault();
    if (typed === undefined) setTyped('');
    else if (found && found.length > 0) setAt((at + move + found.length) % found.length);
  }
}

interface OptionListProps {
  id: string;
  label: string;
  state: ComboboxState;
}

const OptionList = ({ id, label, state: { typed, found, at, choose } }: OptionListProps) => (
  <ul
    id={`${id}-list`}
    class="chooser-list"
    role="listbox"
    aria-label={label}
    hidden={typed === undefined || found === undefined}
  >
    {found?.map((choice, index) => (
      <li
        key={choice.value}
        id={`${id}-${index}`}
        class="menu-item"
        role="option"
        aria-selected={index === at ? 'true' : 'false'}
        // Keeps the focus in the field: its blur handler would close the list before the click.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => choose(choice)}
      >
        <span class="menu-text">{choice.text}</span>
        {choice.hint !== undefined && <span class="menu-hint">{choice.hint}</span>}
      </li>
    ))}
  </ul>
);

type ComboboxState = ReturnType<typeof useCombobox>;

/** The state: the typed text, the options found for it, and the index of the active option. */
function useCombobox({ find, onChoose, asTyped }: ComboboxProps) {
  const [typed, setTyped] = useState<string | undefined>();
  const [found, setFound] = useState<readonly ComboboxOption[] | undefined>();
  const [at, setAt] = useState(0);
  const latest = useRef(find);
  latest.current = find;
  useEffect(() => {
    if (typed === undefined) return setFound(undefined);
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await latest.current(typed.trim(), controller.signal).catch(() => []);
      if (controller.signal.aborted) return;
      setFound(answer);
      setAt(0);
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [typed]);
  const close = (): void => setTyped(undefined);
  /** Without an option, chooses the typed text if it is valid. */
  const choose = (choice: ComboboxOption | undefined): void => {
    const wanted = choice ?? (typed === undefined ? undefined : asTyped?.(typed.trim()));
    if (wanted) onChoose(wanted);
    close();
  };
  return { typed, setTyped, found, at, setAt, close, choose };
}
