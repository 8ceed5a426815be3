/** Sends e-mails over SMTP. A failure is logged and reported to the caller. */
import { email } from '@drawbridge/contract/fields';
import { parseAs } from '@drawbridge/contract/parse';
import type { Email } from '../../domain/emails.ts';
import { fold } from '../../domain/text.ts';
import { guessesByRate, type ShareLimiter } from '../../edges/guess-limiter.ts';
import type { Log } from '../../edges/log.ts';
import { createRateLimiter, type RateLimit } from '../../edges/rate-limiter.ts';

export interface Mailer {
  /** Rejects if the mail server does not accept the e-mail. */
  send(message: Email): Promise<void>;
  /** Rejects if the mail server cannot be reached or rejects the login. */
  check(): Promise<void>;
}

/** The mail server, and the sender of e-mails. */
export interface MailSettings {
  /** `smtp://` or `smtps://`, with user name and password if needed. */
  smtpUrl: string;
  from: string;
}

/** How long the mail server may take to respond. */
const smtpTimeoutMs = 10_000;

/** With `smtp://`, the connection is encrypted if the server supports it, and always before a password is sent. */
async function openTransport({ smtpUrl }: MailSettings) {
  const { createTransport } = await import('nodemailer'); // loaded with the first e-mail, because it is large
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const user = decodeURIComponent(username);
  return createTransport({
    host: hostname.replaceAll(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && user !== '',
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(password) } }),
    connectionTimeout: smtpTimeoutMs,
    greetingTimeout: smtpTimeoutMs,
    socketTimeout: smtpTimeoutMs,
    // No part of an e-mail is read from files or fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

export function openMailer(settings: MailSettings): Mailer {
  return {
    async send({ to, subject, text, messageId }) {
      if (!isAddress(to) || /\p{Cc}/u.test(subject))
        throw new Error('an e-mail has an invalid address or subject');
      // Addresses passed as objects are not parsed, so they cannot become several.
      const transport = await openTransport(settings);
      await transport.sendMail({
        from: { name: 'Drawbridge', address: settings.from },
        to: { name: '', address: to },
        subject,
        text,
        ...(messageId !== undefined && { messageId }),
      });
    },
    check: async () => void (await (await openTransport(settings)).verify()),
  };
}

/** A valid e-mail address without characters that end or list addresses in a mail header. */
const isAddress = (to: string): boolean => !parseAs(email, to).problem && !/[<>,;:"()[\]\\]/.test(to);

/** The limit of e-mails to one address, which all servers on the database share. */
interface AddressLimit {
  share: ShareLimiter;
  /** Which e-mails are counted together. */
  kind: string;
  perAddress?: RateLimit;
}

const usualLimit: RateLimit = { perSecond: 0.005, burst: 5 };

/** Sends e-mails, a limited number per address, and returns whether they were sent; undefined if the server has no mail. */
export function createMailSender(
  settings: MailSettings | undefined,
  log: Pick<Log, 'warn'>,
  { share, kind, perAddress = usualLimit }: AddressLimit,
): ((message: Email) => Promise<boolean>) | undefined {
  if (!settings) return undefined;
  const mailer = openMailer(settings);
  const emailsTo = share(`e-mails to an address: ${kind}`, guessesByRate(createRateLimiter(perAddress)));
  return async (message) => {
    // Without this limit, anyone who may invite could fill any mailbox in the name of this server.
    const { allowed } = await emailsTo.guess([fold(message.to)], '');
    if (allowed.length === 0) return false;
    return mailer.send(message).then(
      () => true,
      (error: unknown) => (log.warn({ err: error }, 'an e-mail could not be sent'), false),
    );
  };
}
