/** Letters by SMTP. One that can not be sent is logged, and whoever asked is told. */
import { email } from '@drawbridge/contract/fields';
import { parseAs } from '@drawbridge/contract/parse';
import type { Email } from '../../domain/emails.ts';
import { fold } from '../../domain/text.ts';
import type { Log } from '../../edges/log.ts';
import { createRateLimiter } from '../../edges/rate-limiter.ts';

export interface Mailer {
  /** Rejects where it was not taken over by the mail server. */
  send(message: Email): Promise<void>;
  /** Rejects where the mail server can not be reached, or does not let us in. */
  check(): Promise<void>;
}

/** Where letters go, and from whom they are. */
export interface MailSettings {
  /** `smtp://` or `smtps://`, with name and password if need be. */
  smtpUrl: string;
  from: string;
}

/** How long the other side may be silent. */
const smtpTimeoutMs = 10_000;

/** Over `smtp://` the line is encrypted as soon as the other side can, and before any password always. */
async function openTransport({ smtpUrl }: MailSettings) {
  const { createTransport } = await import('nodemailer'); // with the first letter: it is large
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
    // Nothing of a letter is read from files or fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

export function openMailer(settings: MailSettings): Mailer {
  return {
    async send({ to, subject, text }) {
      if (!isAddress(to) || /\p{Cc}/u.test(subject))
        throw new Error('an e-mail has an invalid address or subject');
      // Given as parts, an address is never parsed, and so never several.
      const transport = await openTransport(settings);
      await transport.sendMail({
        from: { name: 'Drawbridge', address: settings.from },
        to: { name: '', address: to },
        subject,
        text,
      });
    },
    check: async () => void (await (await openTransport(settings)).verify()),
  };
}

/** What people may be known by, and what means the same in the head of a letter: nothing that ends or lists addresses. */
const isAddress = (to: string): boolean => !parseAs(email, to).issue && !/[<>,;:"()[\]\\]/.test(to);

/** Sends letters, few to one address, and says whether they left; undefined where the server has no mail. */
export function createMailSender(
  settings: MailSettings | undefined,
  log: Pick<Log, 'warn'>,
): ((message: Email) => Promise<boolean>) | undefined {
  if (!settings) return undefined;
  const mailer = openMailer(settings);
  const emailsTo = createRateLimiter({ perSecond: 0.005, burst: 5 });
  return async (message) => {
    // Whoever may invite could else fill anybody's mailbox, in the name of this server.
    if (!emailsTo.allow(fold(message.to))) return false;
    return mailer.send(message).then(
      () => true,
      (error: unknown) => (log.warn({ err: error }, 'an e-mail could not be sent'), false),
    );
  };
}
