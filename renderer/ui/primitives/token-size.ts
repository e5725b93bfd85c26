const cache = new Map<string, number>();

/** Length tokens change only with the kind of pointer (tokens.css). */
const pointer = matchMedia('(pointer: coarse)');
pointer.addEventListener('change', () => cache.clear());

/** The size of a token in pixels, for layout computed in code. Cached, because reading one forces a style calculation. */
export function tokenPx(name: `--${string}`): number {
  const cached = cache.get(name);
  if (cached !== undefined) return cached;
  const size = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name)) || 0;
  // 0 until the style sheet is loaded.
  if (size > 0) cache.set(name, size);
  return size;
}
