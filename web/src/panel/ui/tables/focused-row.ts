/** Tracks the row that has the focus: it stays rendered when it scrolls out of view, so that it keeps the focus. */
import { useRef } from 'preact/hooks';

type Key = string | number;
type KeyOf<Row> = (row: Row) => Key;

export function useFocusedRow() {
  const key = useRef<Key | undefined>(undefined);
  return {
    focusedKey: () => key.current,
    /** The index of the row that has the focus; -1 if none has it. */
    focusedIndex<Row>(rows: readonly Row[], keyOf: KeyOf<Row>): number {
      return key.current === undefined ? -1 : rows.findIndex((row) => keyOf(row) === key.current);
    },
    focusHandlers: <Row>(rows: readonly Row[], keyOf: KeyOf<Row>) => ({
      onFocusIn(event: FocusEvent): void {
        const index = (event.target as Element).closest('[aria-rowindex]')?.getAttribute('aria-rowindex');
        const row = rows[Number(index) - 2];
        key.current = row === undefined ? undefined : keyOf(row);
      },
      onFocusOut(): void {
        key.current = undefined;
      },
    }),
  };
}
