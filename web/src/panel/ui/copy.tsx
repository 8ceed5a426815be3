/** Texts that the user can copy, with a copy button. */
import { useState } from 'preact/hooks';
import { t } from '../texts/index.ts';
import { TextButton, IconButton } from './button.tsx';
import { showNotice } from './notices.ts';

/** How long the button shows that the text was copied. */
const feedbackMs = 2_000;

function useCopy(text: string): { copied: boolean; copy: () => void } {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), feedbackMs);
  };
  return { copied, copy: () => void copy().catch(() => showNotice(t.common.copyFailed)) };
}

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { copied, copy } = useCopy(text);
  return (
    <TextButton icon={copied ? 'check' : 'copy'} onClick={copy}>
      {copied ? t.common.copied : (label ?? t.common.copy)}
    </TextButton>
  );
}

/** A text on one line with a copy button: a URL, a command, a key. */
export function CopyLine({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy(text);
  return (
    <div class="copy-line">
      <code aria-label={label}>{text}</code>
      <IconButton
        icon={copied ? 'check' : 'copy'}
        title={copied ? t.common.copied : t.common.copy}
        onClick={copy}
      />
    </div>
  );
}
