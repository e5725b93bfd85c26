/**
 * Zod compiles its schemas with `new Function` unless told otherwise; the page's policy forbids that, and every refused try
 * would be reported as a violation. It must be told before the first schema is made, so everything else is imported after.
 */
import { config } from 'zod';
import './ui/base.css';

config({ jitless: true });
const { start } = await import('./app/start.tsx');
start();
