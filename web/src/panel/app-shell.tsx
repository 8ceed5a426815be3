/** The frame around every page: main menu, user menu, and a message while the server is unreachable. */
import type { ComponentChildren } from 'preact';
import { post } from './api.ts';
import { isStreamOpen } from './event-stream.ts';
import { clearCurrentUser, signedInUser } from './current-user.ts';
import { closeMenu, isMenuOpen, openMenu, useNarrowMenu } from './narrow-menu.ts';
import { Bell } from './notifications/bell.tsx';
import { navEntries } from './pages.ts';
import { navigate, path } from './router.ts';
import { t } from './texts/index.ts';
import { chooseTheme, theme, themes } from './theme.ts';
import { IconButton } from './ui/button.tsx';
import { Icon } from './ui/icon.tsx';
import { Menu } from './ui/menu.tsx';
import { attempt } from './ui/notices.ts';

const { nav } = t.common;
const menuId = 'main-menu';

const isCurrent = (entry: string): boolean => path.value === entry || path.value.startsWith(`${entry}/`);

const BrandLink = () => {
  const { brand } = signedInUser.value;
  return (
    <a class="brand" href="/panel">
      {brand.logo ? <img src={brand.logo} alt="" /> : <Icon name="bridge" />}
      <span>{brand.name || t.common.product}</span>
    </a>
  );
};

const signOut = (): Promise<boolean> =>
  attempt(async () => {
    const { url } = await post('sign-out', {});
    clearCurrentUser();
    if (url === undefined) navigate('/sign-in');
    else location.assign(url);
  });

const UserMenu = () => (
  <Menu
    icon="person"
    title={signedInUser.value.email}
    label={signedInUser.value.name || signedInUser.value.email}
    parts={() => [
      { items: [{ text: nav.profile, choose: () => navigate('/panel/profile') }] },
      { heading: nav.theme },
      {
        items: themes.map((each) => ({
          text: nav.themes[each],
          checked: theme.value === each,
          choose: () => chooseTheme(each),
        })),
      },
      { items: [{ text: nav.signOut, choose: () => void signOut() }] },
    ]}
  />
);

const NavList = () => (
  <>
    <BrandLink />
    <ul>
      {navEntries
        .filter(({ isOffered }) => isOffered())
        .map(({ path: to, text, icon }) => (
          <li key={to}>
            <a href={to} aria-current={isCurrent(to) ? 'page' : undefined}>
              <Icon name={icon} />
              <span>{text}</span>
            </a>
          </li>
        ))}
    </ul>
  </>
);

const MainMenu = () => (
  <nav
    ref={useNarrowMenu()}
    id={menuId}
    class={isMenuOpen.value ? 'side open' : 'side'}
    aria-label={nav.label}
    onClick={closeMenu}
  >
    <NavList />
  </nav>
);

export const AppShell = ({ children }: { children: ComponentChildren }) => (
  <div class="frame">
    <a class="skip" href="#content" inert={isMenuOpen.value}>
      {nav.skip}
    </a>
    <MainMenu />
    {isMenuOpen.value && (
      <button type="button" class="veil" aria-label={t.common.close} onClick={closeMenu} />
    )}
    <div class="main" inert={isMenuOpen.value}>
      <header class="top">
        <span class="narrow-only">
          <IconButton
            icon="list"
            title={nav.menu}
            opens={{ id: menuId, isOpen: isMenuOpen.value }}
            onClick={openMenu}
          />
        </span>
        <span class="narrow-only top-name">{signedInUser.value.brand.name || t.common.product}</span>
        <Bell />
        <UserMenu />
      </header>
      {!isStreamOpen.value && (
        <p class="lost" role="status">
          <Icon name="warning" /> {t.common.offline}
        </p>
      )}
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  </div>
);
