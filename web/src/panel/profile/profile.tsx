/** The profile: who one is, by what one signs in, where one is signed in, and colours. */
import { mayInTeam, signedInUser } from '../me.ts';
import { t } from '../texts/index.ts';
import { LinkButton } from '../ui/button.tsx';
import { DescriptionList, PageLayout, Section } from '../ui/layout.tsx';
import { Authenticator } from './authenticator.tsx';
import { Colours } from './colours.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { SignedIn } from './signed-in.tsx';

const texts = t.profile;

export const Profile = () => (
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
      <Who />
      <Password />
      <Passkeys />
      <Authenticator />
      <SignedIn />
      <Colours />
    </div>
  </PageLayout>
);

function Who() {
  const { email, account, owner, operator } = signedInUser.value;
  const roles = [owner ? texts.who.owner : texts.who.technician, ...(operator ? [texts.who.operator] : [])];
  return (
    <Section title={texts.who.title}>
      <DescriptionList
        items={[
          [texts.who.email, email],
          [texts.who.account, texts.who.accountOf(account)],
          [texts.who.role, roles.join(' · ')],
        ]}
      />
    </Section>
  );
}
