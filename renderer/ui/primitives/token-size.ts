const known = new Map<string, number>();

/** Tokens that are lengths change with the kind of pointer and with nothing else (tokens.css). */
const pointer = matchMedia('(pointer: coarse)');
pointer.addEventListener('change', () => known.clear());

/** The size of a token in pixels, for the few places where layout is computed and not only drawn. Kept: to read one computes styles. */
export function tokenPx(name: `--${string}`): number {
  const before = known.get(name);
  if (before !== undefined) return before;
  const size = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name)) || 0;
  // None yet: the style sheet is still on its way.
  if (size > 0) known.set(name, size);
  return size;
}
