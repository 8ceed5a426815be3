/** Which version of Drawbridge this is. */
export const version = '0.1.0';
