/** The attributes that Entra ID maps by default for an application that is not in its gallery, as the target paths of its requests. */
import { enterprise } from './entra-requests.ts';

const address = 'addresses[type eq "work"]';

/** Everything except `userName`, `active` and the address of the person. */
export const entraMappings: readonly string[] = [
  'displayName',
  'title',
  'preferredLanguage',
  'name.givenName',
  'name.familyName',
  'name.formatted',
  `${address}.formatted`,
  `${address}.streetAddress`,
  `${address}.locality`,
  `${address}.region`,
  `${address}.postalCode`,
  `${address}.country`,
  'phoneNumbers[type eq "work"].value',
  'phoneNumbers[type eq "mobile"].value',
  'phoneNumbers[type eq "fax"].value',
  'externalId',
  `${enterprise}:employeeNumber`,
  `${enterprise}:department`,
  `${enterprise}:manager`,
];

/** What the list of target attributes offers beside them. */
export const entraOtherTargets: readonly string[] = [
  'emails[type eq "home"].value',
  'emails[type eq "other"].Value',
  'addresses[type eq "other"].Formatted',
  'phoneNumbers[type eq "home"].value',
  'phoneNumbers[type eq "pager"].value',
  'ims[type eq "skype"].value',
  'photos[type eq "photo"].value',
  'x509Certificates[primary eq "True"].value',
  'roles[primary eq "True"].value',
  'entitlements[primary eq "True"].value',
  'name.middleName',
  'name.honorificPrefix',
  'name.honorificSuffix',
  'nickName',
  'profileUrl',
  'userType',
  'locale',
  'timezone',
  `${enterprise}:costCenter`,
  `${enterprise}:organization`,
  `${enterprise}:division`,
];
