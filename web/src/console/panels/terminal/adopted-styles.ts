/** Lets a library that creates style elements work where the CSP forbids them: each becomes an adopted style sheet. */

/** Looks like a style element to the library; in the document it is an empty, hidden element. */
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

/** Replaces style elements that are created during `work`. */
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
