/** Simple pages for visitors of links. They name a device only to a visitor whose link is known to be valid. */
import type { Brand } from '@drawbridge/contract/brand';
import type { PageResponse } from '../../http/route.ts';

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

export interface LinkPageContent {
  http?: number;
  title: string;
  /** The brand of the account; absent where the visitor must not learn whose link it is. */
  brand?: Brand;
  /** Sentences, each a paragraph. */
  says: readonly string[];
  /** Shown below the sentences. `isConsent`: the page says whose session it is, so the console does not ask again. */
  form?: { action: string; password?: boolean; button: string; isConsent?: boolean };
  /** Set if the page may be in a frame: its button is off until a script has seen that the whole page is visible. */
  guarded?: boolean;
  headers?: Record<string, string>;
}

const withScripts = policy.replace(
  "default-src 'none'",
  "default-src 'none'; script-src 'self'; connect-src 'self'",
);

export const linkPage = ({
  http = 200,
  title,
  brand,
  says,
  form,
  guarded = false,
  headers,
}: LinkPageContent): PageResponse => ({
  http,
  type: 'text/html; charset=utf-8',
  headers: {
    'Content-Security-Policy': needsScript(form, guarded) ? withScripts : policy,
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...headers,
  },
  body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)} · ${escaped(brand?.name || product)}</title>
<link rel="icon" href="/static/icon.svg">
<link rel="stylesheet" href="/static/page.css">${needsScript(form, guarded) ? '\n<script type="module" src="/app/link.js"></script>' : ''}
<main class="card">
${brand ? brandMark(brand) : ''}
<h1 dir="auto">${escaped(title)}</h1>
${says.map((sentence) => `<p dir="auto">${escaped(sentence)}</p>`).join('\n')}
${form ? formOf(form, guarded) : ''}
</main>
</html>
`,
});

const product = 'Drawbridge';

/** The alternative text is empty, because the name follows and screen readers would read it twice. */
const brandMark = ({ name, logo }: Brand): string =>
  `<p class="brand" dir="auto">${logo && `<img src="${escaped(logo)}" alt="">`}${escaped(name || product)}</p>`;

const needsScript = (form: LinkPageContent['form'], guarded: boolean): boolean =>
  guarded || form?.isConsent === true;

const formOf = (
  { action, password, button, isConsent }: NonNullable<LinkPageContent['form']>,
  guarded: boolean,
): string => `<form method="post" action="${escaped(action)}"${isConsent ? ' data-consent' : ''}>
${password ? '<label>Password <input type="password" name="password" required autofocus autocomplete="current-password" maxlength="256"></label>' : ''}
<button type="submit" class="button"${guarded ? ' disabled' : ''}>${escaped(button)}</button>
</form>${guarded ? '\n<noscript>In a frame, this page needs JavaScript.</noscript>' : ''}`;

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
