/** Verifies the integrity of the audit log; started with a button, because the server reads every entry. */
import { useState } from 'preact/hooks';
import { get, type OutputOf } from '../api.ts';
import { serverNow } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { showError } from '../ui/notices.ts';
import { RelativeTime } from '../ui/time.tsx';

const texts = t.admin.audit;

type VerifyResult = OutputOf<'v1/audit/verify'>['data'] & { time: number };

const Verdict = ({ of: { intact, lines, broken_at, time } }: { of: VerifyResult }) => (
  <p class={intact ? 'verdict good' : 'verdict bad'}>
    <Icon name={intact ? 'safe' : 'warning'} />
    <span>
      {intact ? texts.intact(lines) : texts.broken(broken_at ?? lines + 1)} <RelativeTime time={time} />
    </span>
  </p>
);

export function Verification() {
  const [checked, setChecked] = useState<VerifyResult>();
  const [busy, setBusy] = useState(false);
  const check = async (): Promise<void> => {
    setBusy(true);
    try {
      const { data } = await get('v1/audit/verify', {});
      setChecked({ ...data, time: serverNow() });
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section class="section verification" aria-label={texts.verify}>
      <div role="status">
        {checked && !busy ? (
          <Verdict of={checked} />
        ) : (
          <p class="quiet">{busy ? texts.verifying : texts.verifyLead}</p>
        )}
      </div>
      <TextButton icon="safe" busy={busy} onClick={() => void check()}>
        {texts.verify}
      </TextButton>
    </section>
  );
}
