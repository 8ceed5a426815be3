/** Lets a library that writes style elements work where the page allows none: each becomes a style sheet of its own. */

/** Looks like a style element to whoever fills it; the browser sees an empty one. */
function createStyleStandIn(): HTMLElement {
  const sheet = new CSSStyleSheet();
  const made = document.createElementNS('http://www.w3.org/1999/xhtml', 'span');
  made.hidden = true;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  Object.defineProperty(made, 'textContent', {
    set(css: string) {
      sheet.replaceSync(css);
    },
  });
  made.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    Element.prototype.remove.call(made);
  };
  return made;
}

/** While the work is done, style elements are style sheets. */
export function withAdoptedStyles<Result>(work: () => Result): Result {
  const create = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions) =>
    name === 'style' ? createStyleStandIn() : create(name, options);
  try {
    return work();
  } finally {
    Reflect.deleteProperty(document, 'createElement');
  }
}
