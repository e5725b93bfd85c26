import { existsSync, readFileSync } from 'node:fs';
import { priceOverrides } from './overrides.ts';
import { noOverrides, type PriceOverrides } from './own-prices.ts';

/**
 * The user's own prices; none when the file is absent.
 * @throws Error that names the file when its content is invalid: wrong prices must not go unnoticed
 */
export function readOverrides(file: string): PriceOverrides {
  if (!existsSync(file)) return noOverrides;
  try {
    return priceOverrides.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file} is not a valid price list: ${error instanceof Error ? error.message : String(error)}`);
  }
}
