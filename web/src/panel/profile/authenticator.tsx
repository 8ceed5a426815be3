/** The profile section for the authenticator app and its recovery codes. */
import { post } from '../api.ts';
import { loadCurrentUser, signedInUser } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { confirmAction } from '../ui/dialog.tsx';
import { Badge, Section } from '../ui/layout.tsx';
import { attempt } from '../ui/notices.ts';
import { openTotpSetup } from './authenticator-set-up.tsx';
import { openRecoveryCodes } from './recovery-codes.tsx';

const texts = t.profile.totp;
/** With this many recovery codes left or fewer, the user should create new ones. */
const fewCodes = 3;

export function AuthenticatorSection() {
  const { has_totp, has_password } = signedInUser.value;
  return (
    <Section
      title={texts.title}
      lead={texts.lead}
      actions={
        <>
          <Badge tone={has_totp ? 'good' : 'plain'}>{has_totp ? texts.on : texts.off}</Badge>
          {has_totp ? (
            <TextButton onClick={() => void turnOff()}>{texts.turnOff}</TextButton>
          ) : (
            has_password && (
              <TextButton onClick={() => void attempt(openTotpSetup)}>{texts.turnOn}</TextButton>
            )
          )}
        </>
      }
    >
      {has_totp ? <RecoveryCodesLeft /> : !has_password && <p>{texts.needsPassword}</p>}
    </Section>
  );
}

function RecoveryCodesLeft() {
  const left = signedInUser.value.recovery_left;
  return (
    <div class="bar">
      <Badge tone={left > fewCodes ? 'plain' : 'warn'}>{t.profile.recovery.left(left)}</Badge>
      <TextButton onClick={() => void renew()}>{t.profile.recovery.renew}</TextButton>
    </div>
  );
}

async function turnOff(): Promise<void> {
  const question = { title: texts.turnOffTitle, text: texts.turnOffText, yes: texts.turnOff };
  if (!(await confirmAction(question))) return;
  await attempt(async () => {
    await post('me/totp/remove', {});
    await loadCurrentUser();
  }, texts.turnedOff);
}

async function renew(): Promise<void> {
  const { renewTitle: title, renewText: text, renew: yes } = t.profile.recovery;
  if (!(await confirmAction({ title, text, yes }))) return;
  await attempt(async () => {
    const { recovery } = await post('me/recovery', {});
    await openRecoveryCodes(recovery);
    await loadCurrentUser();
  });
}
