/** The version of the agent. */
export const agentVersion = '0.1.0';
