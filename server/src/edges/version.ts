/** Which version of Drawbridge this is. */
export const serverVersion = '0.1.0';
