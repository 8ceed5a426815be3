/** The address of a person's page. Paths of the service have no escapes: what would need one stands in the query. */

const basePath = '/panel/team/people/';
/** Stands where the e-mail address would, and is none. */
const inQuery = 'of';

export const personHref = (email: string): string =>
  /^[\w.@+!$&'*=~-]+$/.test(email)
    ? basePath + email
    : `${basePath}${inQuery}?email=${encodeURIComponent(email)}`;

/** Whose page it is, from the named part of the path and the query. */
export const emailFromPath = (part: string, query: URLSearchParams): string =>
  part === inQuery ? (query.get('email') ?? '') : part;

export const isPersonPage = (path: string): boolean => path.startsWith(basePath);
