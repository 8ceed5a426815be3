/** The way back in for whoever looks after the server: a command on its machine. */

const placeholderEmail = 'owner@localhost';

/** What is not plainly an address is left to be filled in: the line is copied into a shell. */
export const signInLinkCommand = (email: string): string =>
  `npx drawbridge sign-in create --email ${/^[\w.+-]+@[\w.-]+$/.test(email.trim()) ? email.trim() : placeholderEmail}`;
