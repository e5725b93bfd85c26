/** Sees what hostile text did to a page: scripts that ran, requests that left, pages that were left, and elements that should not be. */
import type { Page } from '@playwright/test';

export interface Findings {
  /** Calls of what payloads call, and dialogs. */
  ran: string[];
  /** Requests to anything but the gateway's own paths. */
  requests: string[];
  navigations: string[];
  /** What the policy of the page had to stop. */
  refusals: string[];
  windows: string[];
}

/** Paths that a page of ours may ask for. A payload that loads `x` asks for `/x`. */
const own = /^\/(?:$|assets\/|favicon\.svg$|v1\/|health$)/;

export async function watchForHarm(page: Page, gateway: string): Promise<Findings> {
  const found: Findings = { ran: [], requests: [], navigations: [], refusals: [], windows: [] };
  await page.exposeFunction('report', (kind: keyof Findings, what: string) => void found[kind].push(what));
  await page.addInitScript(() => {
    const report = (window as unknown as { report: (kind: string, what: string) => void }).report;
    (window as unknown as { pwned: (n: number) => void }).pwned = (n) => report('ran', `pwned(${n})`);
    document.addEventListener('securitypolicyviolation', (event) =>
      report('refusals', `${event.effectiveDirective} ${event.blockedURI} ${event.sample}`),
    );
  });
  page.on('dialog', (dialog) => {
    found.ran.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => void found.windows.push(popup.url()));
  page.on('download', (download) => void found.windows.push(`download ${download.url()}`));
  page.on('framenavigated', (frame) => {
    const url = frame.url();
    if (!(frame === page.mainFrame() && (url === 'about:blank' || url.startsWith(`${gateway}/#`)))) found.navigations.push(url);
  });
  await page.route('**/*', (route) => {
    const url = new URL(route.request().url());
    if (url.origin === gateway && own.test(url.pathname)) return route.continue();
    found.requests.push(url.href);
    return route.abort();
  });
  return found;
}

/** Elements and attributes that no screen makes: in a page of ours, only a payload could have made them. */
export const strangeElements = (page: Page, gateway: string): Promise<string[]> =>
  page.evaluate((origin) => {
    const banned = new Set([
      'IFRAME',
      'OBJECT',
      'EMBED',
      'BASE',
      'MARQUEE',
      'MATH',
      'FOREIGNOBJECT',
      'ANIMATE',
      'TEMPLATE',
      'STYLE',
      'XMP',
    ]);
    const addresses = ['href', 'src', 'action', 'formaction', 'data', 'srcset', 'poster', 'xlink:href', 'srcdoc', 'background'];
    const isOurs = (address: string) => {
      const url = URL.parse(address, document.baseURI);
      return url !== null && url.origin === origin && (url.protocol === 'http:' || url.protocol === 'https:');
    };
    const strange: string[] = [];
    for (const element of document.querySelectorAll('*')) {
      const name = element.tagName.toUpperCase();
      const attributes = [...element.attributes];
      const isStrange =
        banned.has(name) ||
        (name === 'FORM' && element.hasAttribute('action')) ||
        (name === 'META' && element.hasAttribute('http-equiv')) ||
        attributes.some((each) => each.name.toLowerCase().startsWith('on')) ||
        attributes.some((each) => addresses.includes(each.name.toLowerCase()) && !isOurs(each.value)) ||
        (name === 'IMG' && !new URL((element as HTMLImageElement).src, document.baseURI).pathname.startsWith('/v1/viewer/'));
      if (isStrange) strange.push(element.outerHTML.slice(0, 200));
    }
    return strange;
  }, gateway);
