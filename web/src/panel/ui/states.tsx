/** What a page shows in place of its data: loading, empty, or an error. */
import type { ComponentChildren } from 'preact';
import type { Resource } from '../resource-types.ts';
import { toErrorMessage } from '../panel-api-error.ts';
import { t } from '../texts/index.ts';
import { TextButton } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

export const Loading = ({ text = t.common.loading }: { text?: string }) => (
  <div class="state" role="status">
    <span class="spinner" aria-hidden="true" />
    <p class="quiet">{text}</p>
  </div>
);

interface EmptyStateProps {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
}

export const EmptyState = ({ icon, title, children }: EmptyStateProps) => (
  <div class="state">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
  </div>
);

export const ErrorState = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <div class="state" role="alert">
    <Icon name="warning" />
    <p>{toErrorMessage(error)}</p>
    <TextButton icon="again" onClick={onRetry}>
      {t.common.tryAgain}
    </TextButton>
  </div>
);

interface ResourceViewProps<Value> {
  resource: Resource<Value>;
  children: (value: Value) => ComponentChildren;
}

/** Renders the resource once it is loaded; until then the loading or error state. */
export function ResourceView<Value>({
  resource: { value, error, isStale, reload },
  children,
}: ResourceViewProps<Value>) {
  if (value.value !== undefined)
    return isStale ? (
      <div class="kept" aria-busy={isStale.value ? 'true' : 'false'}>
        {children(value.value)}
      </div>
    ) : (
      <>{children(value.value)}</>
    );
  if (error.value !== undefined) return <ErrorState error={error.value} onRetry={() => void reload()} />;
  return <Loading />;
}
