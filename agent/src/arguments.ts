/** What can be said to the agent on its command line. */
export interface AgentArguments {
  server?: string | undefined;
  token?: string | undefined;
  json?: boolean | undefined;
  service?: boolean | undefined;
}
