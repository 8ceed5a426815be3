/** The error for a request that the server refused or did not answer. */
import { t } from './texts/index.ts';

export class PanelApiError extends Error {
  readonly code: string;
  readonly http: number;
  /** The form field that caused the error. */
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

/** Whether a retry may succeed: neither the server nor a proxy in front of it gave a definite answer. */
export const isTemporaryFailure = (error: unknown): boolean =>
  error instanceof PanelApiError && (error.code === 'unreachable' || [502, 503, 504].includes(error.http));

/** The message to show to the user. */
export const toErrorMessage = (error: unknown): string =>
  error instanceof PanelApiError ? error.message : t.common.refusals.unknown;

/** An error that the page finds itself, before it sends a request. */
export const fieldError = (field: string, message: string): PanelApiError =>
  new PanelApiError('invalid_request', 0, { field, message });
