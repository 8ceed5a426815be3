/**
 * A warning beside links for other machines, shown while the server's public URL is a loopback address. Its
 * command is an example to be adapted, so it has no copy button.
 */
import { signedInUser } from '../current-user.ts';
import { isLoopbackUrl } from '../loopback-url.ts';
import { t } from '../texts/index.ts';
import { Icon } from './icon.tsx';

const texts = t.common.onlyHere;

export function LoopbackWarning() {
  const { public_url } = signedInUser.value;
  if (!isLoopbackUrl(public_url)) return null;
  return (
    <div class="warning-box" role="note">
      <Icon name="warning" />
      <div>
        <p>{texts.text(public_url)}</p>
        <code aria-label={texts.label}>{texts.command}</code>
      </div>
    </div>
  );
}
