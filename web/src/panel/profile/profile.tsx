/** The profile page: the user's account, sign-in methods, sessions and theme. */
import { mayInTeam, signedInUser } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { LinkButton, TextButton } from '../ui/button.tsx';
import { DescriptionList, PageLayout, Section } from '../ui/layout.tsx';
import { AuthenticatorSection } from './authenticator.tsx';
import { openOwnNameDialog } from './name-form.tsx';
import { ThemeSection } from './theme-section.tsx';
import { PasskeysSection } from './passkeys.tsx';
import { PasswordSection } from './password.tsx';
import { ProvidersSection } from './providers.tsx';
import { SessionsSection } from './sessions-section.tsx';

const texts = t.profile;

export const ProfilePage = () => (
  <PageLayout
    title={texts.title}
    actions={
      mayInTeam('team_api_key') && (
        <LinkButton href="/panel/integration" icon="key">
          {texts.toIntegration}
        </LinkButton>
      )
    }
  >
    <div class="profile">
      <IdentitySection />
      <PasswordSection />
      <PasskeysSection />
      <ProvidersSection />
      <AuthenticatorSection />
      <SessionsSection />
      <ThemeSection />
    </div>
  </PageLayout>
);

function IdentitySection() {
  const { email, name, account, owner, operator } = signedInUser.value;
  const roles = [owner ? texts.who.owner : texts.who.technician, ...(operator ? [texts.who.operator] : [])];
  return (
    <Section
      title={texts.who.title}
      actions={
        <TextButton onClick={openOwnNameDialog}>{name ? texts.who.changeName : texts.who.addName}</TextButton>
      }
    >
      <DescriptionList
        items={[
          [texts.who.name, name || texts.who.noName],
          [texts.who.email, email],
          [texts.who.account, texts.who.accountOf(account)],
          [texts.who.role, roles.join(' · ')],
        ]}
      />
    </Section>
  );
}
