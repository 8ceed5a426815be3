/** A printer of CUPS whose jobs the agent receives. */
import type { PrinterOptions, SessionPrinter } from '../../printing/session-printer.ts';
import { addToCups, removeFromCups } from './cups.ts';
import { listenForJobs } from './job-listener.ts';
import { readJobTitle } from './job-title.ts';

const limits = { idleMs: 60_000, jobMs: 30 * 60_000, connections: 4 };

export async function addPrinter(options: PrinterOptions): Promise<SessionPrinter> {
  const listener = await listenForJobs(limits, () => readJobTitle(options.name));
  try {
    await addToCups(options, listener.port);
  } catch (error) {
    listener.close();
    throw error;
  }
  return {
    onJob: listener.onJob,
    async close() {
      listener.close();
      await removeFromCups(options.name);
    },
  };
}
