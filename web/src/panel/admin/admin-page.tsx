/** The frame of the administration pages, with the tabs that the user may open. */
import type { ComponentChildren } from 'preact';
import { mayInTeam } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { PageLayout, Tabs } from '../ui/layout.tsx';

const texts = t.admin;

export type AdminTab = keyof typeof tabPermissions;

/** The permission that each tab requires. */
const tabPermissions = {
  audit: 'team_security_log_admin',
  branding: 'team_brand_admin',
  plan: 'team_billing_admin',
  settings: 'team_user_admin',
  policy: 'team_user_admin',
} as const;

export const adminHref = (tab: AdminTab): string => `/panel/admin/${tab}`;
export const mayOpenTab = (tab: AdminTab): boolean => mayInTeam(tabPermissions[tab]);
export const visibleTabs = (): AdminTab[] => (Object.keys(tabPermissions) as AdminTab[]).filter(mayOpenTab);

interface AdminPageProps {
  here: AdminTab;
  lead: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export const AdminPage = ({ here, lead, actions, children }: AdminPageProps) => (
  <PageLayout title={texts.title} actions={actions}>
    <Tabs
      label={texts.tabs.label}
      tabs={visibleTabs().map((tab) => ({ href: adminHref(tab), text: texts.tabs[tab], here: tab === here }))}
    />
    <p class="quiet">{lead}</p>
    {children}
  </PageLayout>
);
