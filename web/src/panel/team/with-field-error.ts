/** Assigns an error that names no field to the form field that caused it. */
import { PanelApiError } from '../panel-api-error.ts';

/** The server's error code when users try to grant permissions that they lack. */
const beyondRightsCode = 'beyond_own_rights';

export async function withFieldError<Value>(field: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PanelApiError) || error.code !== beyondRightsCode || error.field !== undefined)
      throw error;
    throw new PanelApiError(error.code, error.http, { message: error.message, field });
  }
}
