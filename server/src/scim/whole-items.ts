/** Pages whose items have long lists, such as groups with members: only items with whole lists are returned. */
import { fault, type Fault } from '@drawbridge/contract/faults';

/** The most members or groups that are read for one response. */
export const maxLinks = 10_000;

/**
 * The first items, whose lists were read whole: a page may be shorter than the client asked for (RFC 7644, section
 * 3.4.2.4), but it must not be empty while there is more.
 */
export function wholeItems<Item extends { id: number }>(
  items: readonly Item[],
  cutAt: number | undefined,
  attribute: 'members' | 'groups',
): readonly Item[] | Fault<'invalid'> {
  if (cutAt === undefined) return items;
  const whole = items.filter(({ id }) => id < cutAt);
  if (whole.length > 0) return whole;
  return fault('invalid', {
    code: 'too_many',
    message: `There are more than ${maxLinks} ${attribute}. Ask with excludedAttributes=${attribute}.`,
  });
}
