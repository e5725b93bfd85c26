/** `0.72`, `1`, `12.5`: three significant digits at most, without trailing zeros. */
export const scoreText = (score: number): string => String(Number(score.toPrecision(3)));
