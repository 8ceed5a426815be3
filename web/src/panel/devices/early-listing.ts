/**
 * The list of devices, requested while the page still loads who is signed in, so that it is shown sooner. It is used
 * once, and only for the person that the server says it is for.
 */
import { getUnconfirmed, type OutputOf } from '../api.ts';

type Listing = OutputOf<'devices'>;

/** The page of the list. */
const listPath = '/panel/devices';
/** Afterwards the list is requested again instead. */
const maxAgeMs = 10_000;

interface EarlyListing {
  listing: Promise<Listing | undefined>;
  requestTime: number;
}

let early: EarlyListing | undefined;

/** Requests the list if the page that is opened shows it. */
export function requestEarlyListing(path: string): void {
  if (path === listPath) early = { listing: getUnconfirmed('devices'), requestTime: performance.now() };
}

/** Undefined if there is none for this person. */
export async function takeEarlyListing(memberId: number | undefined): Promise<Listing | undefined> {
  const taken = early;
  early = undefined;
  if (!taken || performance.now() - taken.requestTime > maxAgeMs) return undefined;
  const listing = await taken.listing;
  return listing?.member_id === memberId ? listing : undefined;
}

export const dropEarlyListing = (): void => void (early = undefined);
