const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Time that has passed, in its largest unit: `4 min`, `12 s`, `3 h`. Less than a second is `0 s`. */
export function elapsed(ms: number): string {
  const [unit, length] = units.find(([, unitMs]) => ms >= unitMs) ?? units[3];
  return `${Math.max(0, Math.floor(ms / length))} ${unit}`;
}
