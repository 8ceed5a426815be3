/** What each person chose for a table: its order, columns and row height. Stored in the browser. */
import { signal } from '@preact/signals';
import { currentUser } from '../../current-user.ts';
import { readStored, writeStored } from '../../stored-values.ts';
import { readPreferences, type TablePreferences } from './table-order.ts';

/** What was read or chosen since the page was opened, by storage key. */
const known = signal<ReadonlyMap<string, TablePreferences>>(new Map());

const storageKeyOf = (table: string): string => `drawbridge.table.${table}.${currentUser.value?.id ?? 0}`;

/** Components and computed values that call this follow later changes. */
export function preferencesOf(table: string): TablePreferences {
  const key = storageKeyOf(table);
  return known.value.get(key) ?? readPreferences(readStored(key));
}

export function changePreferences(table: string, changes: TablePreferences): void {
  const [key, chosen] = [storageKeyOf(table), { ...preferencesOf(table), ...changes }];
  known.value = new Map(known.value).set(key, chosen);
  writeStored(key, JSON.stringify(chosen));
}
