/** Data of a page that is loaded from the server. */
import type { ReadonlySignal } from '@preact/signals';
import type { ApiRequestOptions } from './api.ts';

export interface Resource<Value> {
  value: ReadonlySignal<Value | undefined>;
  /** Why it could not be had the last time; what was there before stays shown. */
  error: ReadonlySignal<unknown>;
  /** Whether the value is still that of another question. */
  isStale?: ReadonlySignal<boolean>;
  /** Asks again now; resolves when that is answered. */
  reload(options?: ApiRequestOptions): Promise<void>;
}
