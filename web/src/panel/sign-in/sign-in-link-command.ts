/** The command with which a server administrator creates a sign-in link on the server's machine. */

const placeholderEmail = 'owner@localhost';

/** Only a plain e-mail address is inserted, because the command is pasted into a shell; else a placeholder. */
export const signInLinkCommand = (email: string): string =>
  `npx drawbridge sign-in create --email ${/^[\w.+-]+@[\w.-]+$/.test(email.trim()) ? email.trim() : placeholderEmail}`;
