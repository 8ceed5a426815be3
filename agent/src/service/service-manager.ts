/** What the agent needs of the service manager of a system. */
import type { AgentArguments } from '../arguments.ts';

interface Installation {
  /** The address of its server. */
  server: string;
  /** What was placed on the device, in a few words each. */
  placed: readonly string[];
}

export interface ServiceManager {
  /** Installs the program and its service, and starts it. */
  install(options: AgentArguments): Promise<Installation>;
  state(): Promise<{ installed: boolean; running: boolean }>;
  /** Stops the service and removes it and the program. Does nothing if it is not installed. */
  uninstall(): Promise<void>;
}
