/** Number predicates as intervals of stored values. */
import type { NumberPredicate } from '../../../../shared/filter/filter-tree.ts';
import type { Interval } from './match-column.ts';

const bits = new DataView(new ArrayBuffer(8));

/** Doubles in order as whole numbers, so that they can be halved. */
function placeOf(value: number): bigint {
  bits.setFloat64(0, value);
  const place = bits.getBigInt64(0);
  return place < 0n ? -(place & 0x7fffffffffffffffn) : place;
}

function doubleAt(place: bigint): number {
  bits.setBigInt64(0, place < 0n ? -place | (1n << 63n) : place);
  return bits.getFloat64(0);
}

/** The smallest double that satisfies a condition, which must hold for all larger ones as well; infinity when none does. */
function first(holds: (value: number) => boolean): number {
  let [low, high] = [placeOf(Number.NEGATIVE_INFINITY), placeOf(Number.POSITIVE_INFINITY)];
  while (low < high) {
    const middle = (low + high) >> 1n;
    if (holds(doubleAt(middle))) high = middle;
    else low = middle + 1n;
  }
  return doubleAt(low);
}

const before = (value: number): number => doubleAt(placeOf(value) - 1n);

/**
 * Stored values that satisfy a positive predicate.
 * @param scale what stored values are divided by, as SQLite divides them
 */
export function intervalsOf({ operator, values }: Pick<NumberPredicate, 'operator' | 'values'>, scale = 1): Interval[] {
  const atLeast = (value: number) => first((stored) => stored / scale >= value);
  const above = (value: number) => first((stored) => stored / scale > value);
  const [low = 0, high = 0] = values;
  const [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  switch (operator) {
    case 'gt':
      return [{ from: above(low), to: most }];
    case 'gte':
      return [{ from: atLeast(low), to: most }];
    case 'lt':
      return [{ from: least, to: before(atLeast(low)) }];
    case 'lte':
      return [{ from: least, to: before(above(low)) }];
    case 'between':
      return [{ from: atLeast(low), to: before(above(high)) }];
    default:
      return values.map((value) => ({ from: atLeast(value), to: before(above(value)) }));
  }
}
