/** The version of this server. */
export const serverVersion = '0.1.0';
