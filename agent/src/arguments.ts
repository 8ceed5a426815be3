/** The arguments of the agent's command line. */
export interface AgentArguments {
  server?: string | undefined;
  token?: string | undefined;
  json?: boolean | undefined;
  service?: boolean | undefined;
  /** The code of an invitation. */
  code?: string | undefined;
  /** What follows the verb `approver`. */
  words?: string[] | undefined;
  /** The file with the certificates to trust in addition. */
  ca?: string | undefined;
  /** The fingerprint of the server's certificate. */
  fingerprint?: string | undefined;
  verbose?: boolean | undefined;
  /** Start with administrator rights, if the system grants them. */
  elevate?: boolean | undefined;
  /** The event of Windows with which the service ends the agent. */
  stopEvent?: string | undefined;
  /** The numbers of user and group that the helper of a desktop takes on. */
  person?: string | undefined;
}
