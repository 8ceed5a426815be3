/** Leads whoever was refused back to the field, with what they typed marked, so that they can type over it. */
export function refocus(container: HTMLElement | null, name: string): void {
  const field = container?.querySelector<HTMLInputElement>(`input[name=${name}]`);
  field?.focus();
  field?.select();
}
