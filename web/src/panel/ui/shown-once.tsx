/** A secret that was just created and is not shown again, with a copy button. */
import type { ComponentChildren } from 'preact';
import { t } from '../texts/index.ts';
import { TextButton } from './button.tsx';
import { CopyLine } from './copy.tsx';

interface ShownOnceProps {
  text: string;
  secret: string;
  label: string;
  close: () => void;
  /** What else belongs to it. */
  children?: ComponentChildren;
}

export const ShownOnce = ({ text, secret, label, close, children }: ShownOnceProps) => (
  <>
    <p>{text}</p>
    <CopyLine text={secret} label={label} />
    {children}
    <div class="row">
      <TextButton look="primary" onClick={close}>
        {t.common.done}
      </TextButton>
    </div>
  </>
);
