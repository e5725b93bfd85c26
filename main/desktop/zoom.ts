/** Chromium's zoom levels: each whole step is a fifth larger. */
const step = 0.5;
const [least, most] = [-4, 6];

export type ZoomCommand = 'zoom-in' | 'zoom-out' | 'zoom-reset';

export function nextZoom(level: number, command: ZoomCommand): number {
  if (command === 'zoom-reset') return 0;
  return Math.max(least, Math.min(level + (command === 'zoom-in' ? step : -step), most));
}
