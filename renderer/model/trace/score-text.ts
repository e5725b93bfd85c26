/** `0.72`, `1`, `12.5`: three digits at most, and no zeros that say nothing. */
export const scoreText = (score: number): string => String(Number(score.toPrecision(3)));
