/** Shows a one-time link to copy, or says that it was e-mailed only to the person it is for. */
import type { ComponentChildren } from 'preact';
import { TextButton } from '../ui/button.tsx';
import { CopyLine } from '../ui/copy.tsx';

interface OneTimeLinkProps {
  says: string;
  label: string;
  /** Absent if it was sent only to the person. */
  url: string | undefined;
  done: string;
  close: () => void;
  children?: ComponentChildren;
}

export const OneTimeLink = ({ says, label, url, done, close, children }: OneTimeLinkProps) => (
  <>
    <p>{says}</p>
    {url !== undefined && <CopyLine text={url} label={label} />}
    {children}
    <div class="row">
      <TextButton look="primary" onClick={close}>
        {done}
      </TextButton>
    </div>
  </>
);
