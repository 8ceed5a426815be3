/** The frames of the team pages: with tabs, or with a link back. */
import type { ComponentChildren } from 'preact';
import { t } from '../texts/index.ts';
import { PageLayout, Tabs } from '../ui/layout.tsx';

const { tabs: texts } = t.team;

export const teamTabs = {
  people: '/panel/team',
  departments: '/panel/team/departments',
  directories: '/panel/team/directories',
  roles: '/panel/team/roles',
  access: '/panel/team/access',
  providers: '/panel/team/providers',
  provisioning: '/panel/team/provisioning',
  webhooks: '/panel/team/webhooks',
} as const;

export type TeamTab = keyof typeof teamTabs;

interface TeamPageProps {
  here: TeamTab;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export const TeamPage = ({ here, actions, children }: TeamPageProps) => (
  <PageLayout title={t.team.title} actions={actions}>
    <Tabs
      label={texts.label}
      tabs={Object.entries(teamTabs).map(([tab, href]) => ({
        href,
        text: texts[tab as TeamTab],
        here: tab === here,
      }))}
    />
    {children}
  </PageLayout>
);

interface InnerPageProps {
  title: string;
  /** The tab that the page links back to. */
  back: TeamTab;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** The frame of the page of one person, department or role, with a link back to the list. */
export const InnerPage = ({ title, back, actions, children }: InnerPageProps) => (
  <PageLayout title={title} lead={<a href={teamTabs[back]}>‹ {texts[back]}</a>} actions={actions}>
    {children}
  </PageLayout>
);

export const departmentHref = (id: number): string => `/panel/team/departments/${id}`;
export const roleHref = (id: number): string => `/panel/team/roles/${id}`;
