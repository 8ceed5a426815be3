/** The person whose desktop sessions show. What else they get from a person, such as the sound, comes from the same one. */
let shown: { uid: number | undefined } | undefined;

/** Undefined if nothing is shown, or if it is not known whose desktop it is. */
export const shownPerson = (): number | undefined => shown?.uid;

/** The returned function forgets the person, unless another desktop is shown by then. */
export function setShownPerson(uid: number | undefined): () => void {
  const own = { uid };
  shown = own;
  return () => {
    if (shown === own) shown = undefined;
  };
}
