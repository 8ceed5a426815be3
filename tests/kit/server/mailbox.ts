/** A mail server on this machine that keeps every letter it is given. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

interface ReceivedEmail {
  from: string;
  to: string[];
  /** As it came, head and body. */
  raw: string;
  /** The body, as people read it. */
  text: string;
}

export interface Mailbox extends AsyncDisposable {
  url: string;
  /** Settings with which a server sends its letters here. */
  env: Record<string, string>;
  emails: ReceivedEmail[];
  /** Every password that came. */
  passwords: string[];
  /** The next letter, waited for if need be. */
  next(): Promise<ReceivedEmail>;
  /** From now on nothing is taken. */
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
  /** Whom it lets in; everybody when absent. */
  user?: { name: string; password: string };
  /** Encrypts the line when asked to. */
  tls?: { cert: string; key: string };
}

export async function openMailbox({ user, tls }: MailboxOptions = {}): Promise<Mailbox> {
  const waiting: ((receivedEmail: ReceivedEmail) => void)[] = [];
  let taken = 0;
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
        const raw = Buffer.concat(chunks).toString();
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        self.emails.push({ from, to, raw, text: bodyOf(raw) });
        done();
        const receivedEmail = self.emails[taken];
        const hear = receivedEmail && waiting.shift();
        if (receivedEmail && hear) hear((taken++, receivedEmail));
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
    emails: [],
    passwords: [],
    refuse: false,
    next() {
      const receivedEmail = self.emails[taken];
      if (receivedEmail) return Promise.resolve((taken++, receivedEmail));
      return new Promise((resolve) => waiting.push(resolve));
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return self;
}
