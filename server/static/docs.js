// Opens the API reference: this server's own document, nothing from elsewhere, light or dark as the reader's system is.
'use strict';

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const root = document.getElementById('reference');
SwaggerUIBundle({
  url: '/docs/openapi.json',
  domNode: root,
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  // No foreign server checks the document, and no key is left behind in the browser.
  validatorUrl: null,
  persistAuthorization: false,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
});

// An operation has an address, such as /docs/#groups/list. (The library's own addresses can not carry the slash.)
const before = '/v1/';

function openNamed() {
  const path = CSS.escape(before + decodeURIComponent(location.hash.slice(1)));
  const operation = root.querySelector(`[data-path="${path}"]`)?.closest('.opblock');
  if (!operation) return;
  if (!operation.classList.contains('is-open')) operation.querySelector('.opblock-summary-control').click();
  operation.scrollIntoView();
}

root.addEventListener('click', ({ target }) => {
  const path = target.closest('.opblock-summary')?.querySelector('[data-path]')?.dataset.path;
  if (path) history.replaceState(null, '', `#${path.slice(before.length)}`);
});

new MutationObserver((_changes, observer) => {
  if (!root.querySelector('.opblock')) return;
  observer.disconnect();
  openNamed();
  addEventListener('hashchange', openNamed);
}).observe(root, { childList: true, subtree: true });
