/** A field in which something is looked for and chosen: typed into, walked through with the arrow keys, or clicked. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../texts/index.ts';
import { IconButton } from './button.tsx';

export interface ComboboxOption {
  value: string;
  text: string;
  /** Smaller, behind the text. */
  hint?: string;
}

interface ComboboxProps {
  label: string;
  /** Shown while nothing is chosen. */
  placeholder: string;
  chosen: ComboboxOption | undefined;
  onChoose: (choice: ComboboxOption | undefined) => void;
  /** Those that fit what was typed. */
  find: (text: string, signal: AbortSignal) => Promise<readonly ComboboxOption[]>;
  /** What was typed, where that may be chosen as it is. */
  asTyped?: (text: string) => ComboboxOption | undefined;
}

/** Typing quickly asks once. */
const debounceMs = 150;

export function Combobox(props: ComboboxProps) {
  const { label, placeholder, chosen } = props;
  const id = useId();
  const { typed, setTyped, found, at, setAt, close, choose } = useCombobox(props);
  const isOpen = typed !== undefined && found !== undefined;
  const onKeyDown = (event: KeyboardEvent): void => {
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
  };
  return (
    <div class="labelled chooser">
      <label for={id}>{label}</label>
      <div class="chooser-field">
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
          onKeyDown={onKeyDown}
          onBlur={() => (typed?.trim() ? choose(undefined) : close())}
        />
        {chosen && typed === undefined && (
          <IconButton
            icon="end"
            title={t.common.chooser.clear(label)}
            onClick={() => props.onChoose(undefined)}
          />
        )}
      </div>
      <ul id={`${id}-list`} class="chooser-list" role="listbox" aria-label={label} hidden={!isOpen}>
        {found?.map((choice, index) => (
          <li
            key={choice.value}
            id={`${id}-${index}`}
            class="menu-item"
            role="option"
            aria-selected={index === at ? 'true' : 'false'}
            // The field keeps the focus: leaving it would close the list before the click counts.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(choice)}
          >
            <span class="menu-text">{choice.text}</span>
            {choice.hint !== undefined && <span class="menu-hint">{choice.hint}</span>}
          </li>
        ))}
      </ul>
      {isOpen && found.length === 0 && (
        <p class="chooser-list chooser-nothing" role="status">
          {t.common.chooser.nothing}
        </p>
      )}
    </div>
  );
}

/** What is typed, what was found for it, and which of it the arrows are at. */
function useCombobox({ find, onChoose, asTyped }: ComboboxProps) {
  const [typed, setTyped] = useState<string | undefined>();
  const [found, setFound] = useState<readonly ComboboxOption[] | undefined>();
  const [at, setAt] = useState(0);
  const latest = useRef(find);
  latest.current = find;
  useEffect(() => {
    if (typed === undefined) return setFound(undefined);
    const controller = new AbortController();
    const later = setTimeout(async () => {
      const answer = await latest.current(typed.trim(), controller.signal).catch(() => []);
      if (controller.signal.aborted) return;
      setFound(answer);
      setAt(0);
    }, debounceMs);
    return () => {
      clearTimeout(later);
      controller.abort();
    };
  }, [typed]);
  const close = (): void => setTyped(undefined);
  /** Without one of the list it is what was typed, where that will do. */
  const choose = (choice: ComboboxOption | undefined): void => {
    const wanted = choice ?? (typed === undefined ? undefined : asTyped?.(typed.trim()));
    if (wanted) onChoose(wanted);
    close();
  };
  return { typed, setTyped, found, at, setAt, close, choose };
}
