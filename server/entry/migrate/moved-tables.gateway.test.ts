import { expect, it } from 'vitest';
import { migrate } from '../../telemetry/sqlite/file/migrate.ts';
import { openInMemory } from '../../telemetry/sqlite/file/open.ts';
import { telemetryTables } from './moved-tables.ts';

it('decides for every table of the telemetry store whether it moves to a cluster', () => {
  const db = openInMemory();
  migrate(db);
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").pluck().all();
  expect(Object.keys(telemetryTables).toSorted()).toEqual(tables.toSorted());
});
