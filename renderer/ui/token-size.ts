/** The size a token has right now, for the few places where layout is computed and not only drawn. */
export function tokenPx(name: `--${string}`): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name)) || 0;
}
