/** A warning for server administrators while the certificate of the server is not renewed. */
import { get } from '../api.ts';
import { useResource } from '../resource.ts';
import { t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import { AbsoluteTime } from '../ui/time.tsx';

const texts = t.server.renewal;

export function RenewalWarning() {
  const { failure } = useResource('', (options) => get('server/certificate', {}, options)).value.value ?? {};
  if (!failure) return null;
  return (
    <div class="warning-box" role="note">
      <Icon name="warning" />
      <div>
        <p>{texts.failed(failure.attempts)}</p>
        <p>{failure.error}</p>
        <p>
          {texts.ends}: <AbsoluteTime time={failure.expire_time} /> · {texts.retry}:{' '}
          <AbsoluteTime time={failure.retry_time} />
        </p>
      </div>
    </div>
  );
}
