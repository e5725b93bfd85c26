/** A gateway to which nothing is sent: memory of an empty one, and the CPU time of a minute, local and in the cloud. */
import { setTimeout as after } from 'node:timers/promises';
import { bootstrapCloud, spawnCloud } from '../forward/cloud-process.ts';
import { type GatewayProcess, spawnGateway } from '../gateway/gateway-process.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { processUsage } from './machine.ts';
import { untilIdle } from './until-idle.ts';

export interface AtRest {
  rss: number;
  /** Part of one processor. */
  cpu: number;
}

/** @param seconds how long the CPU time is measured */
export async function measureAtRest(seconds: number): Promise<{ local: AtRest; cloud: AtRest }> {
  const [localDir, cloudDir] = [makeScratchFolder('bench-rest'), makeScratchFolder('bench-rest-cloud')];
  try {
    const local = await resting(spawnGateway(localDir), seconds);
    bootstrapCloud(cloudDir);
    return { local, cloud: await resting(spawnCloud(cloudDir), seconds) };
  } finally {
    for (const folder of [localDir, cloudDir]) removeFolder(folder);
  }
}

async function resting(gateway: GatewayProcess, seconds: number): Promise<AtRest> {
  try {
    await gateway.ready;
    await untilIdle(gateway.pid, 1);
    const before = processUsage(gateway.pid).cpu;
    await after(seconds * 1000);
    const { cpu, rss } = processUsage(gateway.pid);
    return { rss, cpu: (cpu - before) / seconds };
  } finally {
    await gateway.kill();
  }
}
