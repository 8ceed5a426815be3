/** Refusals that blame no field, put beside the one they are about. */
import { PanelApiError } from '../panel-api-error.ts';

/** What the server says when somebody would hand out more than they hold. */
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
