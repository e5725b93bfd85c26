/** Detects what hostile text does to a page: scripts, requests, navigations, and forbidden elements. */
import type { Page } from '@playwright/test';

export interface Findings {
  /** Calls of `pwned`, and dialogs. */
  ran: string[];
  /** Requests to anything except the gateway's own paths. */
  requests: string[];
  navigations: string[];
  /** Violations of the page's content security policy. */
  refusals: string[];
  windows: string[];
}

/** Paths that our pages may request. A payload that loads `x` requests `/x`. */
const own = /^\/(?:$|assets\/|favicon\.svg$|v1\/|health$)/;

export async function watchForHarm(page: Page, gateway: string): Promise<Findings> {
  const findings: Findings = { ran: [], requests: [], navigations: [], refusals: [], windows: [] };
  await page.exposeFunction('report', (kind: keyof Findings, what: string) => void findings[kind].push(what));
  await page.addInitScript(() => {
    const report = (window as unknown as { report: (kind: string, what: string) => void }).report;
    (window as unknown as { pwned: (n: number) => void }).pwned = (n) => report('ran', `pwned(${n})`);
    document.addEventListener('securitypolicyviolation', (event) =>
      report('refusals', `${event.effectiveDirective} ${event.blockedURI} ${event.sample}`),
    );
  });
  page.on('dialog', (dialog) => {
    findings.ran.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => void findings.windows.push(popup.url()));
  page.on('download', (download) => void findings.windows.push(`download ${download.url()}`));
  page.on('framenavigated', (frame) => {
    const url = frame.url();
    if (!(frame === page.mainFrame() && (url === 'about:blank' || url.startsWith(`${gateway}/#`)))) findings.navigations.push(url);
  });
  await page.route('**/*', (route) => {
    const url = new URL(route.request().url());
    if (url.origin === gateway && own.test(url.pathname)) return route.continue();
    findings.requests.push(url.href);
    return route.abort();
  });
  return findings;
}

/** Elements and attributes that no screen uses, so that only a payload can have created them. */
export const forbiddenElements = (page: Page, gateway: string): Promise<string[]> =>
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
    const forbidden: string[] = [];
    for (const element of document.querySelectorAll('*')) {
      const name = element.tagName.toUpperCase();
      const attributes = [...element.attributes];
      const isForbidden =
        banned.has(name) ||
        (name === 'FORM' && element.hasAttribute('action')) ||
        (name === 'META' && element.hasAttribute('http-equiv')) ||
        attributes.some((attribute) => attribute.name.toLowerCase().startsWith('on')) ||
        attributes.some((attribute) => addresses.includes(attribute.name.toLowerCase()) && !isOurs(attribute.value)) ||
        (name === 'IMG' && !new URL((element as HTMLImageElement).src, document.baseURI).pathname.startsWith('/v1/viewer/'));
      if (isForbidden) forbidden.push(element.outerHTML.slice(0, 200));
    }
    return forbidden;
  }, gateway);
