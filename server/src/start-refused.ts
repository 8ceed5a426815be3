/** Reasons not to start that a person can act on. */
import { variableOf } from './config/names.ts';

export class StartRefused extends Error {}

interface Place {
  host: string;
  port: number;
}

/** Opens a port; when something else has it, says which setting chooses another. */
export async function listeningOn<T, P extends Place>(
  setting: 'listen' | 'metrics_listen',
  place: P,
  open: (place: P) => Promise<T>,
): Promise<T> {
  try {
    return await open(place);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error;
    throw new StartRefused(
      `Another program already listens on ${place.host}:${place.port}; choose another address with ${variableOf(setting)}.`,
      { cause: error },
    );
  }
}
