/** The layout of every sign-in step: brand, title and content. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import { loadSignInOptions, signInOptions } from './options.ts';

interface SignInLayoutProps {
  title: string;
  lead?: string;
  children: ComponentChildren;
}

const BrandHeader = () => {
  const { name, logo } = signInOptions.value.brand;
  return (
    <p class="entry-brand">
      {logo ? <img src={logo} alt="" /> : <Icon name="bridge" />}
      <span>{name || t.common.product}</span>
    </p>
  );
};

export function SignInLayout({ title, lead, children }: SignInLayoutProps) {
  const mainRef = useRef<HTMLElement>(null);
  useEffect(() => void loadSignInOptions(), []);
  useEffect(() => {
    document.title = `${title} · ${t.common.product}`;
    // Moves the focus to the first field or the heading, for keyboard and screen reader users.
    const find = (what: string) => mainRef.current?.querySelector<HTMLElement>(what);
    (find('[autofocus]') ?? find('h1'))?.focus();
  }, [title, lead]);
  return (
    <main class="entry" ref={mainRef}>
      <BrandHeader />
      <div class="card entry-card">
        <h1 tabIndex={-1}>{title}</h1>
        {lead !== undefined && <p class="quiet">{lead}</p>}
        {children}
      </div>
    </main>
  );
}
