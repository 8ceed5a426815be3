/** The page around every step of the way in: whose service it is, a title, and what is to be done. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import { askOptions, options } from './options.ts';

interface EntryProps {
  title: string;
  lead?: string;
  children: ComponentChildren;
}

const Whose = () => {
  const { name, logo } = options.value.brand;
  return (
    <p class="entry-brand">
      {logo ? <img src={logo} alt="" /> : <Icon name="bridge" />}
      <span>{name || t.common.product}</span>
    </p>
  );
};

export function Entry({ title, lead, children }: EntryProps) {
  const mainRef = useRef<HTMLElement>(null);
  useEffect(() => void askOptions(), []);
  useEffect(() => {
    document.title = `${title} · ${t.common.product}`;
    // Whoever uses the keyboard or a screen reader goes on where the next thing is to be done.
    const find = (what: string) => mainRef.current?.querySelector<HTMLElement>(what);
    (find('[autofocus]') ?? find('h1'))?.focus();
  }, [title, lead]);
  return (
    <main class="entry" ref={mainRef}>
      <Whose />
      <div class="card entry-card">
        <h1 tabIndex={-1}>{title}</h1>
        {lead !== undefined && <p class="quiet">{lead}</p>}
        {children}
      </div>
    </main>
  );
}
