import { existsSync, readFileSync } from 'node:fs';
import { type PriceOverrides, priceOverrides } from './overrides.ts';

/**
 * The user's own prices; none when the file is absent.
 * @throws Error that names the file when it does not hold what it should: wrong prices must not pass unnoticed
 */
export function readOverrides(file: string): PriceOverrides | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return priceOverrides.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file} is not a valid price list: ${error instanceof Error ? error.message : String(error)}`);
  }
}
