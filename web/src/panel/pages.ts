/** The types of page routes, the entries of the main menu, and the lookup of a page by its path. */
import type { FunctionComponent } from 'preact';
import { mayInTeam, signedInUser, maySeeInvitations } from './current-user.ts';
import { matchPath } from './router.ts';
import { t } from './texts/index.ts';
import type { IconName } from './ui/icon.tsx';

export interface PageProps {
  params: Record<string, string>;
}

export interface PageRoute {
  /** A path with named parameters, such as `/panel/devices/:id`. */
  path: string;
  page: FunctionComponent<PageProps>;
  /** Whether the panel offers the page to the signed-in user; the server checks permissions again. */
  isOffered?: () => boolean;
}

export interface NavEntry {
  path: string;
  text: string;
  icon: IconName;
  isOffered: () => boolean;
}

export const profilePath = '/panel/profile';

const mayAny = (...permissions: string[]): boolean => permissions.some(mayInTeam);

export const navEntries: readonly NavEntry[] = [
  { path: '/panel/support', text: t.common.nav.support, icon: 'chat', isOffered: maySeeInvitations },
  {
    path: '/panel/devices',
    text: t.common.nav.devices,
    icon: 'view',
    isOffered: () => signedInUser.value.devices || mayInTeam('team_permanent_access'),
  },
  {
    path: '/panel/history',
    text: t.common.nav.history,
    icon: 'clock',
    isOffered: () => maySeeInvitations() || signedInUser.value.history,
  },
  {
    path: '/panel/requests',
    text: t.requests.title,
    icon: 'check',
    isOffered: () => signedInUser.value.devices || mayInTeam('team_user_admin'),
  },
  {
    path: '/panel/team',
    text: t.common.nav.team,
    icon: 'people',
    isOffered: () => mayInTeam('team_user_admin'),
  },
  {
    path: '/panel/integration',
    text: t.common.nav.integration,
    icon: 'key',
    isOffered: () => mayInTeam('team_api_key'),
  },
  {
    path: '/panel/admin',
    text: t.common.nav.admin,
    icon: 'gear',
    isOffered: () =>
      mayAny('team_security_log_admin', 'team_brand_admin', 'team_billing_admin', 'team_user_admin'),
  },
  {
    path: '/panel/server',
    text: t.common.nav.server,
    icon: 'server',
    isOffered: () => signedInUser.value.operator,
  },
  { path: profilePath, text: t.common.nav.profile, icon: 'person', isOffered: () => true },
];

/** The page that the panel opens first; the profile for somebody without any rights. */
export const startPath = (): string => navEntries.find(({ isOffered }) => isOffered())!.path;

export function findRoute(
  routes: readonly PageRoute[],
  path: string,
): { route: PageRoute; params: Record<string, string> } | undefined {
  for (const route of routes) {
    const params = matchPath(route.path, path);
    if (params && (route.isOffered?.() ?? true)) return { route, params };
  }
  return undefined;
}
