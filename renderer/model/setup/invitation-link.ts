/** The link of an invitation. The address in it is for the eyes: the gateway knows whom the code is for. */
const path = '#/join';

export interface InvitationLink {
  code: string;
  email: string;
}

export const invitationLink = (origin: string, { code, email }: InvitationLink): string =>
  `${origin}/${path}?${new URLSearchParams({ code, email })}`;

export const isInvitation = (hash: string): boolean => hash === path || hash.startsWith(`${path}?`);

export function readInvitation(hash: string): InvitationLink {
  const said = new URLSearchParams(hash.slice(hash.indexOf('?') + 1));
  return { code: said.get('code') ?? '', email: said.get('email') ?? '' };
}
