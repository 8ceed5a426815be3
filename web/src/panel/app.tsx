/** The root component: the page for the current address inside its frame, or the sign-in page. */
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { AppShell } from './app-shell.tsx';
import { loadCurrentUser, currentUser, currentUserError, type CurrentUser } from './current-user.ts';
import { findRoute, profilePath, startPath } from './pages.ts';
import { panelPages } from './routes.ts';
import { navigate, path } from './router.ts';
import { FirstStepsHints } from './sign-in/first-steps-hints.tsx';
import { NoRightsHint, noSuchPageText } from './ui/no-rights-hint.tsx';
import { Onboarding } from './sign-in/onboarding.tsx';
import { SignInPage } from './sign-in/sign-in.tsx';
import { SsoReturn } from './sign-in/sso-return.tsx';
import { returnedFrom } from './sign-in/sso.ts';
import { t } from './texts/index.ts';
import { LinkButton } from './ui/button.tsx';
import { closeDialogs, Dialogs } from './ui/dialog.tsx';
import { PageLayout } from './ui/layout.tsx';
import { Loading, ErrorState } from './ui/states.tsx';

const isStartPath = (): boolean =>
  path.value === '/' ||
  path.value === '/panel' ||
  path.value.startsWith('/sign-in') ||
  path.value.startsWith('/panel/sso/');

function SignedInContent() {
  useEffect(() => {
    if (isStartPath()) navigate(startPath(), { replace: true });
  }, [path.value]);
  // In the same step that shows the new page: later it would close a dialog that this page has opened.
  useLayoutEffect(closeDialogs, [path.value]);
  const found = findRoute(panelPages, path.value);
  return (
    <AppShell>
      {path.value === startPath() && <FirstStepsHints />}
      {path.value === startPath() && startPath() === profilePath && <NoRightsHint />}
      {found ? (
        <found.route.page key={found.route.path} params={found.params} />
      ) : isStartPath() ? (
        <Loading />
      ) : (
        <PageLayout title={t.common.noSuchPage} lead={noSuchPageText()}>
          <p>
            <LinkButton href="/panel">{t.common.home}</LinkButton>
          </p>
        </PageLayout>
      )}
    </AppShell>
  );
}

/** Invitation links and sign-in links are used even if somebody is already signed in. */
const isSignInLink = (): boolean => /^\/(sign-in|invite)\/./.test(path.value);

/** Whether the user has a method with which they can sign in the next time. */
const canSignInAgain = ({ has_password, passkeys, sso }: CurrentUser): boolean =>
  has_password || passkeys > 0 || sso.length > 0;

function Content() {
  if (currentUser.value === undefined)
    return currentUserError.value === undefined ? (
      <Loading />
    ) : (
      <ErrorState error={currentUserError.value} onRetry={() => void loadCurrentUser()} />
    );
  const provider = returnedFrom(path.value);
  if (provider !== undefined) return <SsoReturn name={provider} />;
  if (currentUser.value === null || isSignInLink()) return <SignInPage />;
  return canSignInAgain(currentUser.value) ? <SignedInContent /> : <Onboarding />;
}

export function PanelApp() {
  const isSignedOut = currentUser.value === null;
  // Open dialogs belong to the user who was signed in.
  useEffect(() => {
    if (isSignedOut) closeDialogs();
  }, [isSignedOut]);
  return (
    <>
      <Content />
      {!isSignedOut && <Dialogs />}
    </>
  );
}
