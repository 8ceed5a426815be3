/** The settings of a directory while they are edited, and what is sent of them. */
import type { ApiParamsOf } from '../../api.ts';
import { t } from '../../texts/index.ts';
import type { Directory } from './directory-data.ts';

const { form: texts } = t.directories;

export interface DirectoryDraft {
  name: string;
  url: string;
  ca_cert: string;
  bind_dn: string;
  bind_password: string;
  base: string;
  person_filter: string;
  group_filter: string;
  adopt: boolean;
  sign_in: boolean;
  every_minutes: string;
  removal_percent: string;
}

export const newDirectoryDraft: DirectoryDraft = {
  name: '',
  url: '',
  ca_cert: '',
  bind_dn: '',
  bind_password: '',
  base: '',
  person_filter: '(objectClass=person)',
  group_filter: '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=group))',
  adopt: false,
  sign_in: false,
  every_minutes: '0',
  removal_percent: '20',
};

export const draftOf = (directory: Directory): DirectoryDraft => ({
  ...newDirectoryDraft,
  name: directory.name,
  url: directory.url,
  ca_cert: directory.ca_cert,
  bind_dn: directory.bind_dn,
  base: directory.base,
  person_filter: directory.person_filter,
  group_filter: directory.group_filter,
  adopt: directory.adopt,
  sign_in: directory.sign_in,
  every_minutes: String(directory.every_minutes),
  removal_percent: String(directory.removal_percent),
});

export const toCreateParams = (draft: DirectoryDraft): ApiParamsOf<'v1/team/directory/create'> => ({
  ...draft,
  every_minutes: Number(draft.every_minutes),
  removal_percent: Number(draft.removal_percent),
});

/** Only what the user changed: concurrent changes to other settings are kept. */
export function toChangedParams(
  before: DirectoryDraft,
  draft: DirectoryDraft,
): Omit<ApiParamsOf<'v1/team/directory/update'>, 'id'> {
  const changed = Object.entries(toCreateParams(draft)).filter(
    ([field, value]) => String(value) !== String(before[field as keyof DirectoryDraft]),
  );
  return Object.fromEntries(changed);
}

const usualSchedules = [0, 15, 60, 240, 720, 1_440, 10_080];

function describeSchedule(minutes: number): string {
  if (minutes === 0) return texts.onRequest;
  if (minutes === 1_440) return texts.day;
  if (minutes === 10_080) return texts.week;
  return minutes % 60 === 0 ? texts.hours(minutes / 60) : texts.minutes(minutes);
}

/** The usual schedules, and the one that is set, which may be any other. */
export const scheduleOptions = (current: string): { value: string; text: string }[] =>
  [...new Set([...usualSchedules, Number(current)])]
    .toSorted((a, b) => a - b)
    .map((minutes) => ({ value: String(minutes), text: describeSchedule(minutes) }));

export const scheduleText = ({ every_minutes }: Directory): string => describeSchedule(every_minutes);
