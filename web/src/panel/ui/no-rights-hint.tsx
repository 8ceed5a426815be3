/** Tells a person who may do nothing yet whom to ask for rights. */
import { signedInUser } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { Icon } from './icon.tsx';

/** The owner has every right, so for them the address alone can be wrong. */
export const noSuchPageText = (): string => {
  const { owner, account } = signedInUser.value;
  return owner ? t.common.noSuchPageText : t.common.noSuchPageOrRight(account);
};

export const NoRightsHint = () => (
  <section class="no-rights" aria-label={t.common.noRights.title}>
    <Icon name="help" />
    <div>
      <h2>{t.common.noRights.title}</h2>
      <p>{t.common.noRights.text(signedInUser.value.account)}</p>
    </div>
  </section>
);
