/** A debounced text input: reports what the user typed after a short pause, so that not every key sends a request. */
import { useEffect, useRef, useState } from 'preact/hooks';

const debounceMs = 250;

/** Returns the text to show in the field and the input handler. */
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
