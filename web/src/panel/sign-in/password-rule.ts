/** The password rules; the server enforces the same ones. */
import { passwordLength } from '@drawbridge/contract/choices';

export const passwordRules = ['length', 'letter', 'digit'] as const;
export type PasswordRule = (typeof passwordRules)[number];

const charactersOf = (password: string): number => [...password.normalize('NFC')].length;

const tests: Record<PasswordRule, (password: string) => boolean> = {
  length: (password) => charactersOf(password) >= passwordLength.least,
  letter: (password) => /\p{L}/u.test(password),
  digit: (password) => /\p{Nd}/u.test(password),
};

export const isMet = (rule: PasswordRule, password: string): boolean => tests[rule](password);

export const isTooLong = (password: string): boolean => charactersOf(password) > passwordLength.most;

export const isGoodPassword = (password: string): boolean =>
  !isTooLong(password) && passwordRules.every((rule) => isMet(rule, password));
