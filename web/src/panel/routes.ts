/** The table of all pages: path, component, and who is offered it. */
import { mayOpenTab } from './admin/admin-page.tsx';
import { AuditPage } from './admin/audit.tsx';
import { BrandingPage } from './admin/branding.tsx';
import { PlanPage } from './admin/plan.tsx';
import { AccountSettingsPage } from './admin/settings.tsx';
import { AdminRedirect } from './admin/start.tsx';
import { AccountPolicyPage } from './policies/account-policy.tsx';
import { ServerPage } from './server/server.tsx';
import { AccessPage } from './team/access/access.tsx';
import { DepartmentPage } from './team/departments/department.tsx';
import { DepartmentsPage } from './team/departments/departments.tsx';
import { DirectoriesPage } from './team/directories/directories.tsx';
import { DirectoryPage } from './team/directories/directory.tsx';
import { PeoplePage } from './team/people/people.tsx';
import { PersonPage } from './team/people/person.tsx';
import { ProviderPage } from './team/providers/provider.tsx';
import { ProvidersPage } from './team/providers/providers.tsx';
import { ProvisioningPage } from './team/provisioning/provisioning.tsx';
import { WebhooksPage } from './team/webhooks/webhooks.tsx';
import { RolePage } from './team/roles/role.tsx';
import { RolesPage } from './team/roles/roles.tsx';
import { AddDevicesPage } from './devices/enrolment/add-page.tsx';
import { DevicePage } from './devices/details/device-page.tsx';
import { DuplicatesPage } from './devices/duplicates/duplicates-page.tsx';
import { DeviceListPage } from './devices/list/list-page.tsx';
import { mayAddDevices } from './devices/rights.ts';
import { UpdatesPage } from './devices/updates/updates-page.tsx';
import { HistoryPage } from './history/history-page.tsx';
import { mayInTeam, signedInUser, maySeeInvitations } from './current-user.ts';
import { IntegrationPage } from './integration/integration.tsx';
import { NotificationsPage } from './notifications/notifications-page.tsx';
import { NotificationSettingsPage } from './notifications/settings-page.tsx';
import type { PageRoute } from './pages.ts';
import { ProfilePage } from './profile/profile.tsx';
import { RequestsPage } from './requests/requests-page.tsx';
import { SupportPage } from './support/support-page.tsx';

const maySeeTeam = (): boolean => mayInTeam('team_user_admin');

export const panelPages: readonly PageRoute[] = [
  { path: '/panel/support', page: SupportPage, isOffered: maySeeInvitations },
  { path: '/panel/devices', page: DeviceListPage },
  { path: '/panel/devices/add', page: AddDevicesPage, isOffered: mayAddDevices },
  { path: '/panel/devices/duplicates', page: DuplicatesPage },
  { path: '/panel/devices/updates', page: UpdatesPage, isOffered: mayAddDevices },
  { path: '/panel/devices/:id', page: DevicePage },
  { path: '/panel/history', page: HistoryPage },
  { path: '/panel/requests', page: RequestsPage },
  { path: '/panel/notifications', page: NotificationsPage },
  { path: '/panel/notifications/settings', page: NotificationSettingsPage },
  { path: '/panel/profile', page: ProfilePage },
  { path: '/panel/integration', page: IntegrationPage, isOffered: () => mayInTeam('team_api_key') },
  { path: '/panel/team', page: PeoplePage, isOffered: maySeeTeam },
  { path: '/panel/team/people/:email', page: PersonPage, isOffered: maySeeTeam },
  { path: '/panel/team/departments', page: DepartmentsPage, isOffered: maySeeTeam },
  { path: '/panel/team/departments/:id', page: DepartmentPage, isOffered: maySeeTeam },
  { path: '/panel/team/directories', page: DirectoriesPage, isOffered: maySeeTeam },
  { path: '/panel/team/directories/:id', page: DirectoryPage, isOffered: maySeeTeam },
  { path: '/panel/team/roles', page: RolesPage, isOffered: maySeeTeam },
  { path: '/panel/team/roles/:id', page: RolePage, isOffered: maySeeTeam },
  { path: '/panel/team/access', page: AccessPage, isOffered: maySeeTeam },
  { path: '/panel/team/providers', page: ProvidersPage, isOffered: maySeeTeam },
  { path: '/panel/team/providers/:id', page: ProviderPage, isOffered: maySeeTeam },
  { path: '/panel/team/provisioning', page: ProvisioningPage, isOffered: maySeeTeam },
  { path: '/panel/team/webhooks', page: WebhooksPage, isOffered: maySeeTeam },
  { path: '/panel/admin', page: AdminRedirect },
  { path: '/panel/admin/audit', page: AuditPage, isOffered: () => mayOpenTab('audit') },
  { path: '/panel/admin/branding', page: BrandingPage, isOffered: () => mayOpenTab('branding') },
  { path: '/panel/admin/plan', page: PlanPage, isOffered: () => mayOpenTab('plan') },
  { path: '/panel/admin/settings', page: AccountSettingsPage, isOffered: () => mayOpenTab('settings') },
  { path: '/panel/admin/policy', page: AccountPolicyPage, isOffered: () => mayOpenTab('policy') },
  { path: '/panel/server', page: ServerPage, isOffered: () => signedInUser.value.operator },
];
