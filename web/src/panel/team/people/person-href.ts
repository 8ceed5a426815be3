/**
 * The address of a person's page. Paths contain no escapes, so an e-mail address that needs them goes into the query.
 */

const basePath = '/panel/team/people/';
/** Takes the place of the e-mail address in the path; it is not a valid address itself. */
const inQuery = 'of';

export const personHref = (email: string): string =>
  /^[\w.@+!$&'*=~-]+$/.test(email)
    ? basePath + email
    : `${basePath}${inQuery}?email=${encodeURIComponent(email)}`;

/** The e-mail address from the path parameter or the query. */
export const emailFromPath = (part: string, query: URLSearchParams): string =>
  part === inQuery ? (query.get('email') ?? '') : part;

export const isPersonPage = (path: string): boolean => path.startsWith(basePath);
