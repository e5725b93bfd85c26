/**
 * What may leave for the system's browser. Text of a trace is hostile, and the operating system runs programs for `smb:`, `file:`
 * and the schemes of other apps (CVE-2025-55733, CVE-2026-43899).
 */
import type { Ask } from './ask.ts';

const lengthMax = 8192;

/** The address in its canonical form, or null for what is never opened: other schemes, credentials, what does not parse. */
export function externalUrl(text: string): URL | null {
  if (text.length > lengthMax) return null;
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return url.username === '' && url.password === '' ? url : null;
}

/** The one way out. @param open is given what was shown to the user, and only after a yes */
export function opener(open: (href: string) => Promise<void>): (text: string, ask: Ask) => Promise<boolean> {
  let isAsking = false;
  /** Whether it was opened. A page that asks again while the user is being asked gets a no. */
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
