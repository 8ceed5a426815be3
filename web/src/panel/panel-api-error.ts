/** The server said no, or could not be reached. */
import { t } from './texts/index.ts';

export class PanelApiError extends Error {
  readonly code: string;
  readonly http: number;
  /** The field of the form that is to blame. */
  readonly field: string | undefined;

  constructor(code: string, http: number, details: { message?: string; field?: string } = {}) {
    super(details.message ?? defaultMessage(code, http));
    this.code = code;
    this.http = http;
    this.field = details.field;
  }
}

const { refusals } = t.common;

const defaultMessage = (code: string, http: number): string => {
  if (code === 'unreachable') return refusals.unreachable;
  return code === 'unexpected' ? refusals.unexpected(http) : refusals.unknown;
};

/** Nobody answered who could know: neither the server nor, for it, what stands before it. It may be otherwise in a moment. */
export const isTemporaryFailure = (error: unknown): boolean =>
  error instanceof PanelApiError && (error.code === 'unreachable' || [502, 503, 504].includes(error.http));

/** The sentence to show for whatever went wrong. */
export const toErrorMessage = (error: unknown): string =>
  error instanceof PanelApiError ? error.message : t.common.refusals.unknown;

/** What the page refuses by itself, before it asks the server. */
export const fieldError = (field: string, message: string): PanelApiError =>
  new PanelApiError('invalid_request', 0, { field, message });
