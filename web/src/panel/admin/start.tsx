/** Redirects to the first tab of administration that the user may open. */
import { useEffect } from 'preact/hooks';
import { noSuchPageText } from '../ui/no-rights-hint.tsx';
import { navigate } from '../router.ts';
import { t } from '../texts/index.ts';
import { LinkButton } from '../ui/button.tsx';
import { EmptyState, Loading } from '../ui/states.tsx';
import { adminHref, visibleTabs } from './admin-page.tsx';

export function AdminRedirect() {
  const [first] = visibleTabs();
  useEffect(() => {
    if (first) navigate(adminHref(first), { replace: true });
  }, [first]);
  if (first) return <Loading />;
  return (
    <EmptyState icon="help" title={t.common.noSuchPage}>
      <p class="quiet">{noSuchPageText()}</p>
      <LinkButton href="/panel">{t.common.home}</LinkButton>
    </EmptyState>
  );
}
