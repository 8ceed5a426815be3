/** Modal dialogs: any code can open them, they stack, and Escape closes the topmost. */
import { signal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../texts/index.ts';
import { TextButton, IconButton } from './button.tsx';
import { moveNotices } from './notices.ts';

interface OpenDialog {
  key: number;
  render: (close: () => void) => VNode;
  close: () => void;
}

const opened = signal<readonly OpenDialog[]>([]);
let lastKey = 0;

/** Opens a dialog; resolves when it is closed. */
export function openDialog(render: (close: () => void) => VNode): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const key = (lastKey += 1);
  const close = (): void => {
    opened.value = opened.value.filter((each) => each.key !== key);
    resolve();
  };
  opened.value = [...opened.value, { key, render, close }];
  return promise;
}

/** Closes all dialogs; called when the page below them changes. */
export const closeDialogs = (): void => opened.value.forEach(({ close }) => close());

/** Renders the open dialogs; the app contains it once. */
export const Dialogs = () => (
  <>
    {opened.value.map(({ key, render, close }) => (
      <DialogSlot key={key}>{render(close)}</DialogSlot>
    ))}
  </>
);

const DialogSlot = ({ children }: { children: ComponentChildren }) => <>{children}</>;

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
  /** True if closing it by mistake would lose something: only its own buttons close it. */
  isSticky?: boolean;
}

/** Escape asks a dialog to close, first as a key and then as a request that can be refused. */
const refuseEscape = {
  onKeyDown: (event: KeyboardEvent): void => {
    if (event.key === 'Escape') event.preventDefault();
  },
  onCancel: (event: Event): void => event.preventDefault(),
};

export function Dialog({ title, onClose, children, wide = false, isSticky = false }: DialogProps) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialogRef.current?.showModal();
    moveNotices();
    return () => {
      moveNotices(dialogRef.current ?? undefined);
      // The element that opened the dialog may have been removed.
      const main = document.querySelector('main');
      const back = before?.isConnected ? before : (main?.querySelector('h1') ?? main);
      if (back instanceof HTMLElement) back.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialogRef}
      class={`card dialog ${wide ? 'wide' : ''}`}
      aria-labelledby={id}
      {...(isSticky && refuseEscape)}
      // A browser may close it all the same, for example on the second Escape in a row.
      onClose={() => (isSticky ? dialogRef.current?.showModal() : onClose())}
    >
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        {!isSticky && <IconButton icon="end" title={t.common.close} onClick={onClose} />}
      </header>
      {children}
    </dialog>
  );
}

interface ConfirmOptions {
  title: string;
  text: string;
  yes: string;
  look?: 'primary' | 'danger';
}

/** Asks the user to confirm an action; resolves to their answer. */
export async function confirmAction({ title, text, yes, look = 'danger' }: ConfirmOptions): Promise<boolean> {
  let answer = false;
  await openDialog((close) => (
    <Dialog title={title} onClose={close}>
      <p>{text}</p>
      <div class="row">
        <TextButton onClick={close}>{t.common.cancel}</TextButton>
        <TextButton
          look={look}
          onClick={() => {
            answer = true;
            close();
          }}
        >
          {yes}
        </TextButton>
      </div>
    </Dialog>
  ));
  return answer;
}
