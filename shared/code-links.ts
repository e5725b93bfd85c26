/** Links with a code, for the owner of an email address. The address in them is only for display: the gateway knows whom the code is for. */

export interface CodeLink {
  code: string;
  email: string;
}

interface CodeLinks {
  /** @param origin of the gateway, without a slash at its end */
  to(origin: string, link: CodeLink): string;
  /** Whether the page of the browser is one. */
  is(hash: string): boolean;
}

const linksWith = (page: string): CodeLinks => ({
  to: (origin, { code, email }) => `${origin}/${page}?code=${encodeURIComponent(code)}&email=${encodeURIComponent(email)}`,
  is: (hash) => hash === page || hash.startsWith(`${page}?`),
});

export const invitationLinks = linksWith('#/join');
/** To choose a new password. */
export const resetLinks = linksWith('#/reset-password');
