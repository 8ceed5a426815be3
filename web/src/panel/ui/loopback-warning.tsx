/** A warning beside what is meant for other machines, while the server's address leads nowhere from there. */
import { signedInUser } from '../current-user.ts';
import { isLoopbackUrl } from '../loopback-url.ts';
import { t } from '../texts/index.ts';
import { CopyLine } from './copy.tsx';
import { Icon } from './icon.tsx';

const texts = t.common.onlyHere;

export function LoopbackWarning() {
  const { public_url } = signedInUser.value;
  if (!isLoopbackUrl(public_url)) return null;
  return (
    <div class="only-here" role="note">
      <Icon name="warning" />
      <div>
        <p>{texts.text(public_url)}</p>
        <CopyLine text={texts.command} label={texts.label} />
      </div>
    </div>
  );
}
