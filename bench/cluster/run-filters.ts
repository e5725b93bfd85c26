/** Starts a fleet of processes and a single gateway, and compares their answers to random filters. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cluster } from '../../server/cluster/cluster.ts';
import { bootstrap } from '../../server/entry/bootstrap.ts';
import { startTestCloud } from '../../server/fixtures/test-cloud.ts';
import { plansWith } from '../../server/limits/plan-table.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { type DifferentialResult, runFilterDifferential } from './filter-differential.ts';

interface FilterOptions {
  filters: number;
  seed: number;
  instances: number;
  log(line: string): void;
}

const root = join(import.meta.dirname, '../..');
const plans = { enterprise: { searches_per_minute: null } };

export async function runFilters({ instances, ...options }: FilterOptions): Promise<DifferentialResult> {
  const dataDir = makeScratchFolder('cluster');
  const plansFile = join(dataDir, 'plans.json');
  writeFileSync(plansFile, JSON.stringify(plans));
  const single = await startTestCloud({ planTable: plansWith(plans) });
  try {
    const cluster = await Cluster.start({
      dataDir,
      instances,
      port: 0,
      gateway: [process.execPath, '--require', join(root, 'scripts/from-bundle.cjs'), join(root, 'server/entry/cloud-gateway.ts')],
      environment: { GLASSHOUSE_PLANS: plansFile },
      onOutput: (instance, text) => void process.stderr.write(`gateway ${instance}: ${text}`),
    });
    try {
      const place = { url: cluster.postgres.url, connections: 1 };
      const owner = { email: 'owner@acme.test', password: 'correct horse', tenant: 'acme', plan: 'enterprise' } as const;
      const tenant = await bootstrap({ dataDir, place, ...owner });
      return await runFilterDifferential({
        ...options,
        fleet: { url: cluster.url, ...tenant },
        single: { url: single.url, ...single.tenant },
      });
    } finally {
      await cluster.stop();
    }
  } finally {
    await single.stop();
    removeFolder(dataDir);
  }
}
