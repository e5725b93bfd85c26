import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeControlStore } from '../conformance/describe-control-store.ts';
import type { ControlLocation } from '../conformance/guarantee.ts';
import { openSqliteControl } from './open.ts';

function newFolder(): ControlLocation {
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-control-'));
  return {
    open: async (clock) => openSqliteControl(folder, clock),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

describeControlStore('sqlite', newFolder, { gateways: 2 });
