/** Simple pages for visitors of links: without scripts, and without information about the device. */
import type { PageResponse } from '../../http/route.ts';

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

export interface LinkPageContent {
  http?: number;
  title: string;
  /** Sentences, each a paragraph. */
  says: readonly string[];
  /** Shown below the sentences. */
  form?: { action: string; password?: boolean; button: string };
  headers?: Record<string, string>;
}

export const linkPage = ({ http = 200, title, says, form, headers }: LinkPageContent): PageResponse => ({
  http,
  type: 'text/html; charset=utf-8',
  headers: { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer', ...headers },
  body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)} · Drawbridge</title>
<link rel="stylesheet" href="/static/page.css">
<main>
<h1>${escaped(title)}</h1>
${says.map((sentence) => `<p>${escaped(sentence)}</p>`).join('\n')}
${form ? formOf(form) : ''}
</main>
</html>
`,
});

const formOf = ({
  action,
  password,
  button,
}: NonNullable<LinkPageContent['form']>): string => `<form method="post" action="${escaped(action)}">
${password ? '<label>Password <input type="password" name="password" required autofocus autocomplete="current-password" maxlength="256"></label>' : ''}
<button type="submit">${escaped(button)}</button>
</form>`;

/** Used, expired, closed and unknown links look the same. */
export const invalidLinkPage = linkPage({
  http: 404,
  title: 'This link does not work',
  says: [
    'It was already used, has expired or never existed. Ask the person who gave it to you for a new one.',
  ],
});

export const blockedDevicePage = linkPage({
  http: 403,
  title: 'This device is blocked',
  says: ['Nobody can connect to it now. The owner of the account can change that.'],
});
