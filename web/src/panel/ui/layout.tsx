/** The building blocks of pages: page header with actions, sections, badges, tabs and description lists. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { currentUser } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { useHeadingFocus } from './heading-focus.ts';

interface PageLayoutProps {
  title: string;
  /** Below the title. */
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function PageLayout({ title, lead, actions, children }: PageLayoutProps) {
  document.title = `${title} · ${currentUser.value?.brand.name || t.common.product}`;
  const heading = useHeadingFocus();
  return (
    <div class="page">
      <header class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p class="quiet">{lead}</p>}
        </div>
        {actions !== undefined && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface SectionProps {
  title?: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export const Section = ({ title, lead, actions, children }: SectionProps) => (
  <section class="section">
    {(title !== undefined || actions !== undefined) && (
      <header class="section-head">
        {title !== undefined && <h2>{title}</h2>}
        {actions !== undefined && <div class="page-actions">{actions}</div>}
      </header>
    )}
    {lead !== undefined && <p class="quiet">{lead}</p>}
    {children}
  </section>
);

export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'plain';

export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

export interface Tab {
  href: string;
  text: string;
  here: boolean;
}

/** Links to the parts of one page, each with its own address. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const navRef = useRef<HTMLElement>(null);
  const here = tabs.find((tab) => tab.here)?.href;
  // On a narrow screen the tabs may overflow: scroll to the current one.
  useEffect(() => {
    navRef.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [here]);
  return (
    <nav ref={navRef} class="tabs" aria-label={label}>
      {tabs.map(({ href, text, here: isHere }) => (
        <a key={href} href={href} aria-current={isHere ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

export const DescriptionList = ({ items }: { items: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {items.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
