/** Chromium's zoom levels: each whole step is a fifth larger. */
const step = 0.5;
const [least, most] = [-4, 6];

export type Zooming = 'zoom-in' | 'zoom-out' | 'zoom-reset';

export function zoomed(level: number, how: Zooming): number {
  if (how === 'zoom-reset') return 0;
  return Math.max(least, Math.min(level + (how === 'zoom-in' ? step : -step), most));
}
