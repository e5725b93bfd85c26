import { Answer, defineModule } from '../../app/module.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Dependency } from '../../platform/health.ts';

/** A slower probe counts as degraded; beyond the limit it fails. */
const slowMs = 500;
const limitMs = 2000;
/** Anybody may ask, as often as they like: within this time all requests share one answer. */
const freshMs = 1000;

const worst = ['healthy', 'degraded', 'unhealthy'] as const;
type State = (typeof worst)[number];

export const dependencyHealthModule = defineModule({
  group: 'dependencyHealth',
  needs: ['health', 'clock'],
  build: ({ health, clock }) => {
    const gateway = (probed: readonly Dependency[]) => answer('gateway', probed, clock, { instance: health.instance });
    const ready = sharedAnswer(() => gateway(health.gateway), clock);
    return {
      ingestion: sharedAnswer(() => answer('ingestion', health.ingestion, clock), clock),
      files: sharedAnswer(() => answer('files', health.files, clock), clock),
      // At once, because the gateway does not wait until it is asked again.
      ready: () => (health.isStopping ? gateway([stopping]) : ready()),
    };
  },
});

const stopping: Dependency = { name: 'gateway', probe: () => Promise.reject(new Error('It is shutting down')) };

function sharedAnswer<T>(ask: () => Promise<T>, clock: Clock): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | null = null;
  return () => {
    const age = last === null ? freshMs : clock.monotonic() - last.at;
    if (last === null || age >= freshMs) last = { at: clock.monotonic(), answer: ask() };
    return last.answer;
  };
}

async function answer(
  service: 'ingestion' | 'files' | 'gateway',
  probed: readonly Dependency[],
  clock: Clock,
  about: Record<string, string> = {},
): Promise<Answer> {
  const dependencies = await Promise.all(probed.map(stateOf));
  const status = worst[Math.max(0, ...dependencies.map(({ status }) => worst.indexOf(status)))] as State;
  const body = { status, timestamp: new Date(clock.now()).toISOString(), service, dependencies, ...about };
  return new Answer(status === 'unhealthy' ? 503 : 200, body);
}

async function stateOf({ name, probe }: Dependency) {
  const startMs = performance.now();
  const problem = await Promise.race([probe().catch(() => unusable), timeout()]);
  const latencyMs = Math.round(performance.now() - startMs);
  if (problem === null && latencyMs <= slowMs) return { name, status: 'healthy' as State, latencyMs };
  const status: State = problem === unusable || problem === tooLate ? 'unhealthy' : 'degraded';
  return { name, status, latencyMs, error: problem ?? 'is slow' };
}

const unusable = 'cannot be used now';
const tooLate = 'did not answer in time';

const timeout = (): Promise<string> => new Promise((resolve) => setTimeout(resolve, limitMs, tooLate).unref());
