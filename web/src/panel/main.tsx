/** Starts the control panel. */
import { render } from 'preact';
import { PanelApp } from './app.tsx';
import { setUpConfirmation } from './confirm.tsx';
import { loadCurrentUser } from './current-user.ts';
import { requestEarlyListing } from './devices/early-listing.ts';
import './panel.css';
import { followLinks } from './router.ts';

setUpConfirmation();
document.addEventListener('click', followLinks);
void loadCurrentUser();
requestEarlyListing(location.pathname);
render(<PanelApp />, document.querySelector('#app')!);
