/** Which version of the agent this is. */
export const agentVersion = '0.1.0';
