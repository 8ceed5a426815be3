/** Data of a page that is loaded from the server. */
import type { ReadonlySignal } from '@preact/signals';
import type { ApiRequestOptions } from './api.ts';

export interface Resource<Value> {
  value: ReadonlySignal<Value | undefined>;
  /** Why the last load failed; the previous value stays. */
  error: ReadonlySignal<unknown>;
  /** Whether the value still belongs to the previous query. */
  isStale?: ReadonlySignal<boolean>;
  /** Loads again now; resolves when that load has ended. */
  reload(options?: ApiRequestOptions): Promise<void>;
}
