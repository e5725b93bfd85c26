import { expect, it } from 'vitest';
import { invitationLink, isInvitation, readInvitation } from './invitation-link.ts';

it('leads to the page that reads it, whatever the email address contains', () => {
  const invitation = { code: 'a_B-9', email: 'mira+tests&more@example.com' };
  const { hash, origin } = new URL(invitationLink('https://traces.test', invitation));
  expect(origin).toBe('https://traces.test');
  expect(isInvitation(hash)).toBe(true);
  expect(readInvitation(hash)).toEqual(invitation);
});

it('no other page is an invitation, and a truncated link has no code', () => {
  for (const hash of ['', '#/', '#/joined?code=a', '#/traces?from=#/join']) expect(isInvitation(hash)).toBe(false);
  expect(readInvitation('#/join')).toEqual({ code: '', email: '' });
});
