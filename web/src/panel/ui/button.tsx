/** Buttons with a text, an icon or both, and links that look like buttons. */
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface TextButtonProps {
  children: ComponentChildren;
  onClick?: () => void;
  look?: 'primary' | 'danger' | 'plain';
  icon?: IconName;
  type?: 'button' | 'submit';
  disabled?: boolean;
  /** While the action runs, the button cannot be pressed again but keeps the focus. */
  busy?: boolean;
  title?: string;
}

export const TextButton = ({
  children,
  onClick,
  look,
  icon,
  type = 'button',
  disabled,
  busy,
  title,
}: TextButtonProps) => (
  <button
    type={type}
    class={`button ${look ?? ''}`}
    onClick={busy ? undefined : onClick}
    disabled={disabled}
    aria-disabled={busy ? 'true' : undefined}
    aria-busy={busy ? 'true' : undefined}
    title={title}
  >
    {busy ? <span class="spinner small" aria-hidden="true" /> : icon && <Icon name={icon} />}
    <span>{children}</span>
  </button>
);

interface IconButtonProps {
  icon: IconName;
  /** The accessible name and the tooltip. */
  title: string;
  onClick: () => void;
  /** For a toggle button. */
  pressed?: boolean;
  /** For a button that opens the element with this id. */
  opens?: { id: string; isOpen: boolean };
  disabled?: boolean;
}

export const IconButton = ({ icon, title, onClick, pressed, opens, disabled }: IconButtonProps) => (
  <button
    type="button"
    class="icon-button"
    title={title}
    aria-label={title}
    aria-pressed={pressed}
    aria-expanded={opens?.isOpen}
    aria-controls={opens?.id}
    disabled={disabled}
    onClick={onClick}
  >
    <Icon name={icon} filled={pressed === true} />
  </button>
);

interface LinkButtonProps {
  href: string;
  children: ComponentChildren;
  look?: 'primary' | 'plain';
  icon?: IconName;
  /** Opens outside the panel, in a new tab. */
  outside?: boolean;
  download?: boolean;
}

export const LinkButton = ({ href, children, look, icon, outside, download }: LinkButtonProps) => (
  <a
    class={`button ${look ?? ''}`}
    href={href}
    target={outside ? '_blank' : undefined}
    rel={outside ? 'noopener' : undefined}
    download={download}
  >
    {icon && <Icon name={icon} />}
    <span>{children}</span>
  </a>
);
