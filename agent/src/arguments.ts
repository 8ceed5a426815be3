/** What can be said to the agent on its command line. */
export interface AgentArguments {
  server?: string | undefined;
  token?: string | undefined;
  json?: boolean | undefined;
  service?: boolean | undefined;
  /** Of an invitation. */
  code?: string | undefined;
  /** By which the certificate of the server is known. */
  fingerprint?: string | undefined;
  verbose?: boolean | undefined;
}
