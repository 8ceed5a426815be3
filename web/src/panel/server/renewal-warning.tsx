/** A warning for server administrators while the certificate of the server is not renewed. */
import { get, type ApiRequestOptions, type OutputOf } from '../api.ts';
import { useResource } from '../resource.ts';
import { t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import { AbsoluteTime } from '../ui/time.tsx';

const texts = t.server.renewal;

/** Present from the beginning, so that screen readers announce a warning that appears in it. */
export function RenewalWarning() {
  const load = (options: ApiRequestOptions) => get('server/certificate', {}, options);
  const { failure } = useResource('', load, ['server']).value.value ?? {};
  return <div role="status">{failure && <Warning of={failure} />}</div>;
}

type Failure = NonNullable<OutputOf<'server/certificate'>['failure']>;

const Warning = ({ of: { attempts, error, issued, expire_time, retry_time } }: { of: Failure }) => (
  <div class="warning-box">
    <Icon name="warning" />
    <div>
      <p>{issued ? texts.failed(attempts) : texts.noneYet(attempts)}</p>
      <p>{error}</p>
      <p>
        {issued && (
          <>
            {texts.ends}: <AbsoluteTime time={expire_time} /> ·{' '}
          </>
        )}
        {texts.retry}: <AbsoluteTime time={retry_time} />
      </p>
    </div>
  </div>
);
