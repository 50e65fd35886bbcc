// The page's address, as others reach it.
import { json } from '../link/http.js';
import { href } from '../model/address.js';

const loopback = /^(localhost|127\..*|\[::1\])$/;

/**
 * The page's address: `network` is the server's address there, if this one is of this machine only.
 * @param {import('../model/page.js').Page} page
 * @returns {Promise<{url: string, isHere: boolean, network: URL|null}>}
 */
export async function addressOf({ place }) {
  const link = new URL(href(place), location.href);
  const isHere = loopback.test(location.hostname);
  const network = isHere ? await elsewhere() : null;
  return { url: network === null ? link.href : new URL(link.search, network).href, isHere, network };
}

/** The first address at which other machines reach this server. */
async function elsewhere() {
  try {
    const { addresses } = await json('/api/v1/connect');
    const found = addresses.map(({ url }) => new URL(url)).find(({ hostname }) => !loopback.test(hostname));
    return found ?? null;
  } catch {
    return null;
  }
}
