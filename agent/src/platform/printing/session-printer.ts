/** The interface of a printer that exists on the device during a session. Its documents go to the operator. */

export interface PrinterOptions {
  /** The name of the printer on the device. */
  name: string;
  /** What people at the device read beside the name. */
  description: string;
}

export interface PrintJob {
  /** As the program that printed it calls it; empty if it is not known. */
  title: string;
  /** Ends with an error if the document is incomplete or takes too long. What is not read yet is not held in memory. */
  content: AsyncIterable<Uint8Array>;
}

export interface SessionPrinter {
  /** Jobs are received one after the other. The device reports a job as failed if this rejects. */
  onJob(receive: (job: PrintJob) => Promise<void>): void;
  /** Ends the job that is being received, and removes the printer. */
  close(): Promise<void>;
}
