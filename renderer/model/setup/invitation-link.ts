/** The link of an invitation. Its email address is only for display: the gateway knows whom the code is for. */
const path = '#/join';

export interface InvitationLink {
  code: string;
  email: string;
}

export const invitationLink = (origin: string, { code, email }: InvitationLink): string =>
  `${origin}/${path}?${new URLSearchParams({ code, email })}`;

export const isInvitation = (hash: string): boolean => hash === path || hash.startsWith(`${path}?`);

export function readInvitation(hash: string): InvitationLink {
  const params = new URLSearchParams(hash.slice(hash.indexOf('?') + 1));
  return { code: params.get('code') ?? '', email: params.get('email') ?? '' };
}
