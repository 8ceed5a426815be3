/** What is typed into a field, told once nobody has typed for a moment: what stands there between two letters is not worth a question. */
import { useEffect, useRef, useState } from 'preact/hooks';

const debounceMs = 250;

/** What to show in the field, and what to call with each letter. */
export function useDebouncedInput(
  value: string,
  onSettled: (typed: string) => void,
): [string, (typed: string) => void] {
  const [typed, setTyped] = useState<string | undefined>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onInput = (text: string): void => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setTyped(undefined);
      onSettled(text);
    }, debounceMs);
  };
  return [typed ?? value, onInput];
}
