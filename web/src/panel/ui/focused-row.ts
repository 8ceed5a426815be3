/** Keeps note of the row that has the focus: it stays drawn, so that the focus is not lost when it is scrolled away. */
import { useRef } from 'preact/hooks';

type Key = string | number;
type KeyOf<Row> = (row: Row) => Key;

export function useFocusedRow() {
  const key = useRef<Key | undefined>(undefined);
  return {
    /** Where it stands now; -1 when none has the focus. */
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
