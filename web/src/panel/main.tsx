/** Starts the control panel. */
import { render } from 'preact';
import { App } from './app.tsx';
import { setUpConfirmation } from './confirm.tsx';
import { loadMe } from './me.ts';
import './panel.css';
import { followLinks } from './router.ts';

setUpConfirmation();
document.addEventListener('click', followLinks);
void loadMe();
render(<App />, document.querySelector('#app')!);
