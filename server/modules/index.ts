/** Every module there is. Which of them serve is decided by what a deployment provides. */
import type { Module } from '../app/module.ts';
import { filterSchemaModule } from './filter-schema.ts';
import { ingestModule } from './ingest.ts';
import { mediaModule } from './media.ts';
import { platformModule } from './platform.ts';
import { pricingModule } from './pricing.ts';
import { runTracesModule } from './run-traces.ts';
import { scoresModule } from './scores.ts';
import { sessionsModule } from './sessions.ts';
import { spansModule } from './spans.ts';
import { tracesModule } from './traces.ts';
import { viewerModule } from './viewer.ts';

export const modules: readonly Module[] = [
  platformModule,
  pricingModule,
  ingestModule,
  tracesModule,
  runTracesModule,
  spansModule,
  filterSchemaModule,
  sessionsModule,
  scoresModule,
  mediaModule,
  viewerModule,
];
