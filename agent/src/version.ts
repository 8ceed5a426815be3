/** Which version of the agent this is. */
export const version = '0.1.0';
