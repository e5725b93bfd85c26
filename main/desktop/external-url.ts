/**
 * Addresses that may be opened in the system's browser. Trace text is hostile, and the operating system runs programs for `smb:`, `file:` and
 * schemes of other apps (CVE-2025-55733, CVE-2026-43899).
 */
import type { Ask } from './ask.ts';

const lengthMax = 8192;

/** Canonical address, or null for one that is never opened: other schemes, credentials, invalid text. */
export function externalUrl(text: string): URL | null {
  if (text.length > lengthMax) return null;
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return url.username === '' && url.password === '' ? url : null;
}

/** The only way to open an address. @param open receives the address shown to the user, after confirmation */
export function opener(open: (href: string) => Promise<void>): (text: string, ask: Ask) => Promise<boolean> {
  let isAsking = false;
  /** Whether it was opened. A second request during a question is refused. */
  return async (text, ask) => {
    const url = externalUrl(text);
    if (url === null || isAsking) return false;
    isAsking = true;
    try {
      const answer = await ask({
        type: 'question',
        // `host` is the punycode form: a look-alike letter shows as xn--.
        message: `Open ${url.host} in your browser?`,
        detail: url.href.length > 300 ? `${url.href.slice(0, 300)}…` : url.href,
        buttons: ['Open', 'Cancel'],
      });
      if (answer !== 0) return false;
      await open(url.href);
      return true;
    } finally {
      isAsking = false;
    }
  };
}
