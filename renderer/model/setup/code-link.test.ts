import { expect, it } from 'vitest';
import { invitationLinks, resetLinks } from '../../../shared/code-links.ts';
import { readCodeLink } from './code-link.ts';

it('a link leads to the page that reads it, whatever the email address contains', () => {
  const link = { code: 'a_B-9', email: 'mira+tests&more@example.com' };
  for (const [links, other] of [
    [invitationLinks, resetLinks],
    [resetLinks, invitationLinks],
  ] as const) {
    const { hash, origin } = new URL(links.to('https://traces.test', link));
    expect(origin).toBe('https://traces.test');
    expect([links.is(hash), other.is(hash)]).toEqual([true, false]);
    expect(readCodeLink(hash)).toEqual(link);
  }
});

it('no other page is an invitation, and a truncated link has no code', () => {
  for (const hash of ['', '#/', '#/joined?code=a', '#/traces?from=#/join']) expect(invitationLinks.is(hash)).toBe(false);
  expect(readCodeLink('#/join')).toEqual({ code: '', email: '' });
});
