/** After an error, focuses the field and selects its text, so that the user can type over it. */
export function refocus(container: HTMLElement | null, name: string): void {
  const field = container?.querySelector<HTMLInputElement>(`input[name=${name}]`);
  field?.focus();
  field?.select();
}
