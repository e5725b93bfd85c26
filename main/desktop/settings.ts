import { z } from 'zod';
import { theme } from '../../shared/desktop.ts';
import { DurableFile, type Migration, type Values } from './durable-file.ts';

const fields = {
  theme: theme.default('system'),
  notify_errors: z.boolean().default(true),
  notify_long_runs: z.boolean().default(true),
  notify_runaways: z.boolean().default(true),
  notify_budgets: z.boolean().default(true),
  /** Duration in seconds from which the end of a run is notified. */
  long_run_seconds: z.int().min(1).max(86_400).default(60),
  /** Keep running without a window; the tray icon stays. */
  keep_receiving: z.boolean().default(false),
  open_at_login: z.boolean().default(false),
  /** Also listen on 4317 and 4318, the defaults of exporters. */
  otlp_ports: z.boolean().default(true),
  /** Project folder with prompts and datasets; null for that of the command line. */
  project: z.string().min(1).nullable().default(null),
  /** Chromium's zoom level: each step is a fifth larger. */
  zoom: z.number().min(-4).max(6).default(0),
};

/** None yet: this is the first version. A change that old files do not match adds a migration here. */
const migrations: readonly Migration[] = [];

export type Settings = Values<typeof fields>;
export type SettingsFile = DurableFile<typeof fields>;

export const openSettings = (path: string): SettingsFile => new DurableFile(path, { fields, migrations });
