/** Lets a library that creates style elements work where the CSP forbids them: each becomes an adopted style sheet. */

export interface AdoptedStyles {
  /** A document cannot adopt the style sheets of another one, so they are created again. */
  moveTo(to: Document): void;
}

interface StandIn extends AdoptedStyles {
  element: HTMLElement;
}

/** Its element looks like a style element to the library; in the document it is an empty, hidden element. */
function createStandIn(): StandIn {
  let [css, home] = ['', document];
  let sheet = new CSSStyleSheet();
  const element = document.createElementNS('http://www.w3.org/1999/xhtml', 'span');
  const leave = (): void => {
    home.adoptedStyleSheets = home.adoptedStyleSheets.filter((each) => each !== sheet);
  };
  const enter = (): void => void (home.adoptedStyleSheets = [...home.adoptedStyleSheets, sheet]);
  enter();
  element.hidden = true;
  Object.defineProperty(element, 'textContent', {
    set(text: string) {
      css = text;
      sheet.replaceSync(css);
    },
  });
  element.remove = () => {
    leave();
    Element.prototype.remove.call(element);
  };
  const moveTo = (to: Document): void => {
    leave();
    home = to;
    sheet = new to.defaultView!.CSSStyleSheet();
    sheet.replaceSync(css);
    enter();
  };
  return { element, moveTo };
}

/** Replaces style elements that are created during `work`. */
export function withAdoptedStyles(work: () => void): AdoptedStyles {
  const standIns: StandIn[] = [];
  const create = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    if (name !== 'style') return create(name, options);
    const standIn = createStandIn();
    standIns.push(standIn);
    return standIn.element;
  };
  try {
    work();
  } finally {
    Reflect.deleteProperty(document, 'createElement');
  }
  return { moveTo: (to) => standIns.forEach((each) => each.moveTo(to)) };
}
