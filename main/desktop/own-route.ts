/** The part behind # of an address of our own page; null for every other address, also of the same gateway. */
export function ownRoute(text: string, page: string): string | null {
  const [asked, own] = [URL.parse(text), new URL(page)];
  if (asked === null || asked.origin !== own.origin || asked.pathname !== own.pathname || asked.search !== own.search) return null;
  return asked.username === '' && asked.password === '' && asked.hash.startsWith('#/') ? asked.hash : null;
}
