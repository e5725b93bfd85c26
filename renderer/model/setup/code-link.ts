import type { CodeLink } from '../../../shared/code-links.ts';

/** What a link with a code says. Empty texts when the link is incomplete. */
export function readCodeLink(hash: string): CodeLink {
  const params = new URLSearchParams(hash.slice(hash.indexOf('?') + 1));
  return { code: params.get('code') ?? '', email: params.get('email') ?? '' };
}
