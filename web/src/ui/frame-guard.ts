/** In a frame of another site, buttons that confirm something work only while the person can see what they confirm. */
import { element } from './element.ts';

/** The second version of IntersectionObserver, which also notices what covers or fades an element. */
interface VisibilityOptions extends IntersectionObserverInit {
  trackVisibility: boolean;
  delay: number;
}

interface VisibilityEntry extends IntersectionObserverEntry {
  /** Absent in browsers without the second version. */
  isVisible?: boolean;
}

/** Long enough to see that the page has appeared: a click right after that was meant for something else. */
const visibleForMs = 500;
/** The least time between two checks that browsers allow. */
const checkEveryMs = 100;
/** Rounding must not count as hidden. */
const wholeRatio = 0.99;

const texts = {
  hidden: 'The button works once this page is completely visible.',
  open: 'Open it in a new tab',
};

export const isFramed = (): boolean => window.top !== window;

/** Disables the buttons, and enables them while the whole card, which says whose session it is, has been visible for a moment. */
export function guardClicks(card: Element, buttons: readonly HTMLButtonElement[]): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hint = element(
    'p',
    { class: 'quiet frame-hint' },
    `${texts.hidden} `,
    element('a', { href: location.href, target: '_blank', rel: 'noopener' }, texts.open),
  );
  const setEnabled = (isEnabled: boolean): void => {
    for (const each of buttons) each.disabled = !isEnabled;
    // Hidden and not removed, so that nothing moves under the pointer.
    hint.style.visibility = isEnabled ? 'hidden' : 'visible';
  };
  const onChange = (isVisible: boolean): void => {
    clearTimeout(timer);
    if (isVisible) timer = setTimeout(setEnabled, visibleForMs, true);
    else setEnabled(false);
  };
  const options: VisibilityOptions = {
    threshold: [0, wholeRatio, 1],
    trackVisibility: true,
    delay: checkEveryMs,
  };
  const observer = new IntersectionObserver((entries) => onChange(isWhole(entries.at(-1)!)), options);
  // Beside the card, which can then be completely visible in a frame of its own size.
  if (card instanceof HTMLDialogElement) card.append(hint);
  else card.after(hint);
  setEnabled(false);
  observer.observe(card);
}

const isWhole = ({ intersectionRatio, isVisible }: VisibilityEntry): boolean =>
  intersectionRatio >= wholeRatio && isVisible !== false;
