/** What the agent needs of the service manager of a system. */
import type { AgentArguments } from '../arguments.ts';

export interface ServiceManager {
  /** Installs the program and its service, starts it, and returns the address of its server. */
  install(options: AgentArguments): Promise<string>;
  state(): Promise<{ installed: boolean; running: boolean }>;
  /** Stops the service and removes it and the program. Does nothing if it is not installed. */
  uninstall(): Promise<void>;
}
