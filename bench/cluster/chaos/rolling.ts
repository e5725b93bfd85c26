/** Gateways are replaced one after the other, as an upgrade does. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectWorker, type TestWorker } from '../../../server/fixtures/a-worker.ts';
import { createClient } from '../../../shared/client.ts';
import { quantile } from '../../measure/quantiles.ts';
import type { ChaosFleet } from './chaos-fleet.ts';
import { chaosRun, compared, msUntil, sendTo, statusText, withFleet } from './run.ts';
import { headersOf } from './sender.ts';

const jobMs = 4_000;
const settledMs = 60_000;
const heartbeatMs = 5_000;

export const rollingRestart = chaosRun({
  about: 'all gateways are replaced one after the other under load: no request fails, and the jobs of workers finish',
  sizes: { times: 5, rate: 1000, teams: 6, raw: 5000 },
  quick: { times: 1, rate: 100, teams: 3, raw: 200 },
  run: ({ sizes, seed, instances, log }) =>
    withFleet({ instances, teams: sizes.teams }, async (fleet) => {
      const { sender, ledger } = sendTo(fleet, { seed, rate: sizes.rate });
      const reads = readUntilStopped(fleet);
      const work = await workUntilStopped(fleet);
      for (let time = 0; time < sizes.times; time++)
        for (let number = 0; number < instances; number++) {
          await sleep(1000);
          await fleet.cluster.endInstance(number, 'SIGTERM');
          await fleet.cluster.startInstance(number);
          log(`replaced gateway ${number}`);
        }
      await sleep(1000);
      const jobs = await work.stop();
      const readStatuses = await reads.stop();
      await sender.stop();
      const { figures, problems } = await compared(fleet, ledger, { seed, raw: sizes.raw });
      const failed = sender.answers.filter(({ status }) => status !== 200);
      const failedReads = readStatuses.filter((status) => status !== 200);
      const slowest = quantile(
        sender.answers.map(({ ms }) => ms),
        0.99,
      );
      const restarts = `${sizes.times * instances} restarts; ${statusText(sender)}, p99 ${slowest.toFixed(0)} ms`;
      return {
        figures: [...figures, restarts, `${readStatuses.length} reads, ${failedReads.length} failed`, jobs.figures],
        problems: [
          ...problems,
          ...failed.slice(0, 5).map(({ status }) => `a request was answered ${status}`),
          ...failedReads.slice(0, 5).map((status) => `a read was answered ${status}`),
          ...jobs.problems,
        ],
      };
    }),
});

function readUntilStopped(fleet: ChaosFleet) {
  const stopping = new AbortController();
  const reading = (async () => {
    const statuses: number[] = [];
    for (let number = 0; !stopping.signal.aborted; number++) {
      const headers = headersOf(fleet.apps[number % fleet.apps.length] as (typeof fleet.apps)[number]);
      const response = await fetch(`${fleet.url}/v1/traces?limit=5`, { headers }).catch(() => null);
      statuses.push((await response?.arrayBuffer().catch(() => null)) ? (response?.status ?? 0) : 0);
      await sleep(100);
    }
    return statuses;
  })();
  return {
    stop: () => {
      stopping.abort();
      return reading;
    },
  };
}

/** A worker of the first app that connects again when its gateway ends, and experiments that are started one after the other and take some seconds. */
async function workUntilStopped(fleet: ChaosFleet) {
  const [app] = fleet.apps as [(typeof fleet.apps)[number]];
  const client = createClient(async ({ method, path, body }) => {
    const init = { method, headers: headersOf(app), ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(fleet.url + path, init);
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  });
  await client.datasets.append({ params: { datasetName: 'sums' }, body: { input: 1 } });
  const [stopping, leaving] = [new AbortController(), new AbortController()];
  const worker = keepConnected(fleet.url, app.api_key, leaving.signal);
  const ids: string[] = [];
  const refused: string[] = [];
  const starting = (async () => {
    for (; !stopping.signal.aborted; await sleep(jobMs / 2)) {
      const started = await client.experimentRuns.start({ body: { dataset: 'sums' } }).catch((error: Error) => error);
      if (started instanceof Error) refused.push(started.message);
      else ids.push(started.data.experiment_id);
    }
  })();
  const statusOf = async (experimentId: string) => (await client.experimentRuns.get({ params: { experimentId } })).data.status;
  return {
    stop: async () => {
      stopping.abort();
      await starting;
      await msUntil(settledMs, async () => (await Promise.all(ids.map(statusOf))).every((status) => status !== 'running'), 500);
      const statuses = await Promise.all(ids.map(statusOf));
      leaving.abort();
      await worker;
      // A gateway that stops closes the connections of workers, which ends their jobs (docs/worker.md).
      const [done, running] = ['succeeded', 'running'].map((status) => statuses.filter((of) => of === status).length) as [number, number];
      const others = `${statuses.length - done - running} ended with their gateway, ${refused.length} not taken while it connected again`;
      return {
        figures: `${ids.length} jobs of a worker: ${done} succeeded, ${others}`,
        problems: [
          ...(running > 0 ? [`${running} jobs of a worker never end`] : []),
          ...(done === 0 ? ['no job of a worker succeeded'] : []),
        ],
      };
    },
  };
}

/** Runs each job for some seconds. Its result goes over the connection that there is then. */
async function keepConnected(url: string, key: string, signal: AbortSignal): Promise<void> {
  let current: TestWorker | null = null;
  const isOpen = (worker: TestWorker | null): worker is TestWorker => worker?.socket.readyState === worker?.socket.OPEN;
  const finish = async (jobId: string) => {
    await sleep(jobMs);
    while (!isOpen(current) && !signal.aborted) await sleep(100);
    if (isOpen(current)) current.say({ type: 'job-stream-end', jobId });
  };
  while (!signal.aborted) {
    const worker: TestWorker | null = await connectWorker(url, key, { 'x-service-adapter': 'chaos' }).catch(() => null);
    if (!worker) {
      await sleep(200);
      continue;
    }
    current = worker;
    const beat = setInterval(() => isOpen(worker) && worker.say({ type: 'heartbeat' }), heartbeatMs);
    void (async () => {
      for (;;) void finish((await worker.next('job')).jobId);
    })();
    const stop = () => worker.socket.close();
    signal.addEventListener('abort', stop, { once: true });
    await worker.closed;
    signal.removeEventListener('abort', stop);
    clearInterval(beat);
  }
}
