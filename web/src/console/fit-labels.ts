/** Shows as many labels of a toolbar as fit beside its icons, from the first on. */

export function fitLabels(bar: HTMLElement): { stop(): void } {
  const observer = new ResizeObserver(() => fit(bar));
  // The parts change their size when buttons come and go.
  for (const part of [bar, ...bar.children]) observer.observe(part);
  return { stop: () => observer.disconnect() };
}

function fit(bar: HTMLElement): void {
  const labels = [...bar.querySelectorAll<HTMLElement>('.tool:not(.end) .tool-label')];
  const isTooWide = (): boolean => bar.scrollWidth > bar.clientWidth;
  for (const label of labels) label.hidden = false;
  bar.classList.remove('compact');
  while (isTooWide() && labels.length > 0) labels.pop()!.hidden = true;
  // Without any label, the name of the device gives way.
  bar.classList.toggle('compact', isTooWide());
}
