/** The web app manifest of the panel, with which browsers install the panel under the brand of the account. */
import { readImageInfo } from '@drawbridge/contract/images';
import { brandPath } from '@drawbridge/contract/brand';
import type { Route } from '../http/route.ts';
import { ignoreOutage } from '../store/outages.ts';
import type { Reads } from '../store/store.ts';
import type { FindLogo } from './brand-logo.ts';
import type { FindSignedIn } from './links/operator-link.ts';
import { ownFiles } from './page.ts';
import { versionedFile } from './static-files.ts';

interface Deps {
  brands: Reads['brands'];
  findLogo: FindLogo;
  findSignedIn: FindSignedIn;
}

interface ManifestIcon {
  src: string;
  sizes: string;
  type: string;
  purpose: 'any' | 'maskable';
}

const icon = (side: number, name: string, purpose: ManifestIcon['purpose']) => ({
  file: versionedFile(`/static/${name}.png`, ownFiles, `${name}.png`),
  sizes: `${side}x${side}`,
  type: 'image/png',
  purpose,
});

const icons = [
  icon(192, 'icon-192', 'any'),
  icon(512, 'icon-512', 'any'),
  icon(512, 'icon-maskable-512', 'maskable'),
];
/** The icon of iOS, which reads no manifest for it. */
const touchIcon = versionedFile('/static/icon-180.png', ownFiles, 'icon-180.png');

/** Browsers refuse smaller icons. */
const minLogoSide = 192;
/** The colour of the icons, and the background of the pages. */
const colours = { theme: '#1f5f99', background: '#eef1f4' };

const ownIcons = (): Promise<ManifestIcon[]> =>
  Promise.all(icons.map(async ({ file, ...rest }) => ({ src: await file.url(), ...rest })));

/** The logo of the brand if it can be an icon, otherwise our own icons. */
async function iconsOf({ findLogo }: Deps, digest: string): Promise<ManifestIcon[]> {
  // The panel opens without the object storage that has the logo.
  const logo = digest === '' ? undefined : await findLogo(digest).catch(ignoreOutage);
  const info = logo && readImageInfo(logo.bytes);
  if (!info || info.width !== info.height || info.width < minLogoSide) return ownIcons();
  const sizes = `${info.width}x${info.height}`;
  return [{ src: `${brandPath}${digest}`, sizes, type: info.type, purpose: 'any' }];
}

async function manifestOf(deps: Deps, accountId: number | undefined): Promise<object> {
  const { brands } = deps;
  // Before signing in, the panel shows the brand of the server's first account.
  const brand = await (accountId === undefined ? brands.ofServer() : brands.of(accountId));
  return {
    id: '/panel',
    name: brand?.name || 'Drawbridge',
    start_url: '/panel',
    scope: '/',
    display: 'standalone',
    theme_color: brand?.accent || colours.theme,
    background_color: colours.background,
    icons: await iconsOf(deps, brand?.logoDigest ?? ''),
  };
}

export const manifestRoutes = (deps: Deps): Route[] => [
  ...icons.map(({ file }) => file.route),
  touchIcon.route,
  {
    method: 'GET',
    path: '/manifest.webmanifest',
    async handle({ headers }) {
      const actor = await deps.findSignedIn('GET', headers);
      return {
        http: 200,
        type: 'application/manifest+json',
        body: JSON.stringify(await manifestOf(deps, actor?.accountId)),
        headers: { 'Cache-Control': 'private, no-store', 'Cross-Origin-Resource-Policy': 'same-origin' },
      };
    },
  },
];
