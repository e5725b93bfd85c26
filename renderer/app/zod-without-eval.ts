/**
 * Zod compiles its schemas with `new Function` unless told otherwise; the page's content security policy forbids that and reports each attempt as a
 * violation. It must be configured before the first schema is created, so the page imports this first.
 */
import { config } from 'zod';

config({ jitless: true });
