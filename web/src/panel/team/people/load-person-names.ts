/** Loads the names of people whose e-mail addresses a page shows. */
import { get, type ApiRequestOptions } from '../../api.ts';
import { personLabel, toPersonNames, type PersonNames } from './person-label.ts';

/** What one request can hold. */
const [maxEmails, maxLength] = [50, 8_000];

/** Splits the addresses so that each part fits into one request. */
function toNameRequests(emails: readonly unknown[]): string[] {
  const distinct = new Set(emails.filter((email) => typeof email === 'string' && /^\S{1,254}$/.test(email)));
  const requests: string[][] = [];
  let length = Infinity;
  for (const email of distinct as Set<string>) {
    const last = requests.at(-1);
    length += email.length + 1;
    if (last && last.length < maxEmails && length <= maxLength) last.push(email);
    else {
      requests.push([email]);
      length = email.length;
    }
  }
  return requests.map((each) => each.join(' '));
}

/** Without names the page is still readable, so errors are ignored. */
export async function loadPersonNames(
  emails: readonly unknown[],
  options: ApiRequestOptions,
): Promise<PersonNames> {
  const found = await Promise.all(
    toNameRequests(emails).map((part) =>
      get('team/names', { emails: part }, options).catch(() => ({ data: [] })),
    ),
  );
  return toPersonNames(found.flatMap(({ data }) => data));
}

/** Returns how to show each of these people: with their name, if they have one. */
export async function loadPersonLabels(
  emails: readonly string[],
  options: ApiRequestOptions,
): Promise<(email: string) => string> {
  const names = await loadPersonNames(emails, options);
  return (email) => personLabel(email, names);
}
