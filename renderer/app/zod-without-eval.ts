/**
 * Zod compiles its schemas with `new Function` unless told otherwise; the page's policy forbids that, and would report each try as a
 * violation. It must be told before the first schema is made, so the page imports this first.
 */
import { config } from 'zod';

config({ jitless: true });
