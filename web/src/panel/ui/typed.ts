/** What is typed into a field, told once nobody has typed for a moment: what stands there between two letters is not worth a question. */
import { useEffect, useRef, useState } from 'preact/hooks';

const pauseMs = 250;

/** What to show in the field, and what to call with each letter. */
export function useTyped(value: string, tell: (typed: string) => void): [string, (typed: string) => void] {
  const [typed, setTyped] = useState<string | undefined>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (text: string): void => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setTyped(undefined);
      tell(text);
    }, pauseMs);
  };
  return [typed ?? value, type];
}
