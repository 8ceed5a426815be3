/** A link that is shown once: to be copied now, or already on its way by mail. */
import type { ComponentChildren } from 'preact';
import { Button } from '../ui/button.tsx';
import { CopyButton, CopyLine } from '../ui/copy.tsx';

interface OneTimeLinkProps {
  says: string;
  label: string;
  url: string;
  done: string;
  close: () => void;
  children?: ComponentChildren;
}

export const OneTimeLink = ({ says, label, url, done, close, children }: OneTimeLinkProps) => (
  <>
    <p>{says}</p>
    <CopyLine text={url} label={label} />
    {children}
    <div class="row">
      <CopyButton text={url} />
      <Button look="primary" onClick={close}>
        {done}
      </Button>
    </div>
  </>
);
