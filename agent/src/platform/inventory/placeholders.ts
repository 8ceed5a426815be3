/** Recognises texts and numbers that stand for something unknown, and removes them from the system information. */
import type { Hardware } from '@drawbridge/contract/hardware';

/** Texts that manufacturers leave in unused fields. */
const placeholders =
  /^(unknown|none|n\/a|null|undefined|not (specified|provided|available|present)|no (dimm|module installed)|default string|to be filled by o\.?e\.?m\.?|system (manufacturer|product name|version|serial number)|0x0+)$/i;
export const isMeaningful = (text: string): boolean => text.trim() !== '' && !placeholders.test(text.trim());

/** Time zones west of Greenwich are negative; any other negative number stands for an unknown value. */
const maybeNegative = 'LocaleTimezone';

/** Replaces values that stand for something unknown by empty strings or zero. */
export function withoutPlaceholders(hardware: Hardware): Hardware {
  return JSON.parse(JSON.stringify(hardware), (key: string, value: unknown) => {
    if (value === null) return 0; // JSON writes null for NaN and Infinity
    if (typeof value === 'string') return isMeaningful(value) ? value : '';
    return typeof value === 'number' && value < 0 && key !== maybeNegative ? 0 : value;
  }) as Hardware;
}
