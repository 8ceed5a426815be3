/** A mail server on this machine that keeps every email it receives. */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerEnvelope } from 'smtp-server';

interface ReceivedEmail {
  from: string;
  to: string[];
  /** As received, headers and body. */
  raw: string;
  /** The decoded body. */
  text: string;
}

export interface Mailbox extends AsyncDisposable {
  url: string;
  /** Settings with which a server sends its emails here. */
  env: Record<string, string>;
  emails: ReceivedEmail[];
  /** Every password it received. */
  passwords: string[];
  /** Resolves with the next email. */
  next(): Promise<ReceivedEmail>;
  /** From now on it refuses every email. */
  refuse: boolean;
}

function bodyOf(raw: string): string {
  const [head = '', body = ''] = raw.split(/\r\n\r\n(.*)/s);
  if (!/quoted-printable/i.test(head)) return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

interface MailboxOptions {
  /** The accepted user and password; everyone if absent. */
  user?: { name: string; password: string };
  /** Offers STARTTLS. */
  tls?: { cert: string; key: string };
}

/** Emails in order, each taken once. */
function createQueue() {
  const emails: ReceivedEmail[] = [];
  const waiting: ((email: ReceivedEmail) => void)[] = [];
  let taken = 0;
  return {
    emails,
    add(email: ReceivedEmail): void {
      emails.push(email);
      if (waiting.length > 0) waiting.shift()!(emails[taken++]!);
    },
    next(): Promise<ReceivedEmail> {
      const email = emails[taken];
      if (!email) return new Promise((resolve) => waiting.push(resolve));
      taken++;
      return Promise.resolve(email);
    },
  };
}

function parseEmail(bytes: Buffer, { mailFrom, rcptTo }: SMTPServerEnvelope): ReceivedEmail {
  const raw = bytes.toString();
  const from = mailFrom === false ? '' : mailFrom.address;
  return { from, to: rcptTo.map(({ address }) => address), raw, text: bodyOf(raw) };
}

export async function openMailbox({ user, tls }: MailboxOptions = {}): Promise<Mailbox> {
  const queue = createQueue();
  const server = new SMTPServer({
    authOptional: !user,
    allowInsecureAuth: true,
    disabledCommands: [...(user ? [] : ['AUTH']), ...(tls ? [] : ['STARTTLS'])],
    ...tls,
    logger: false,
    onAuth({ username, password }, _session, done) {
      self.passwords.push(password ?? '');
      if (username === user?.name && password === user?.password) done(null, { user: username });
      else done(new Error('wrong name or password'));
    },
    onMailFrom: (_address, _session, done) => (self.refuse ? done(new Error('no')) : done()),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        queue.add(parseEmail(Buffer.concat(chunks), envelope));
        done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const url = `smtp://${user ? `${user.name}:${encodeURIComponent(user.password)}@` : ''}127.0.0.1:${port}`;
  const self: Mailbox = {
    url,
    env: { DRAWBRIDGE_SMTP_URL: url, DRAWBRIDGE_MAIL_FROM: 'help@example.com' },
    emails: queue.emails,
    passwords: [],
    refuse: false,
    next: queue.next,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return self;
}
