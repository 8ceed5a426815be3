/** An item of a list that is already written as JSON. */
/** The JSON text of an item of a list, with a comma before it. */
export interface RenderedItem {
  bytes: Buffer;
  /** Items with the same number have the same text. */
  number: number;
}
