import { isDigit } from './fields.ts';

/**
 * A number in plain decimal, with an exponent or without: `-5`, `.5`, `5.`, `1e-3`. Null for everything else
 * that JavaScript would read, such as hex, `Infinity`, `1_000`, blanks or a number that overflows.
 */
export function readNumber(value: string | number): number | null {
  if (typeof value === 'string' && !isDecimal(value)) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** Longer units first, so that the `s` of `ms` is not taken for seconds. */
const units = [
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
] as const;

/** Milliseconds of a number with or without a unit: `250`, `250ms`, `2.5s`, `1m`, `1h`. Null for everything else. */
export function readDuration(value: string | number): number | null {
  const [unit, scale] = units.find(([name]) => String(value).endsWith(name)) ?? ['', 1];
  const number = readNumber(typeof value === 'string' ? value.slice(0, value.length - unit.length) : value);
  return number === null || !Number.isFinite(number * scale) ? null : number * scale;
}

function isDecimal(text: string): boolean {
  let at = 0;
  const digits = (): number => {
    const from = at;
    while (at < text.length && isDigit(text.charAt(at))) at++;
    return at - from;
  };
  const take = (...chars: string[]): boolean => {
    const found = at < text.length && chars.includes(text.charAt(at));
    if (found) at++;
    return found;
  };
  take('-');
  const whole = digits();
  const fraction = take('.') ? digits() : 0;
  if (whole + fraction === 0) return false;
  if (take('e', 'E')) {
    take('+', '-');
    if (digits() === 0) return false;
  }
  return at === text.length;
}
