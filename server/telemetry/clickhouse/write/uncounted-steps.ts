/** Steps of runs whose commit ended halfway: when it is repeated, its spans may be duplicates, and are new to those who watch runs. */
import type { PreparedBatch } from '../../../ingest/prepare/prepared.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { RunChange } from '../../runaway/open-runs.ts';
import type { Step } from '../../runaway/step.ts';
import type { WrittenBatch } from '../loaded/sent-items.ts';

/** What is repeated comes soon. */
const stepsMax = 50_000;

export class UncountedSteps {
  readonly #steps = new Map<string, { step: Step; of: RunChange }>();

  /** Call it with the changes of a commit that has failed. */
  keep(runs: readonly RunChange[]): void {
    for (const of of runs)
      for (const step of of.steps) if (this.#steps.size < stepsMax) this.#steps.set(keyOf(of.app, of.traceId, step), { step, of });
  }

  /** The changes of a commit that is stored, with those of its spans that were duplicates and are not counted yet. */
  addTo(runs: readonly RunChange[], written: readonly WrittenBatch[]): readonly RunChange[] {
    if (this.#steps.size === 0) return runs;
    for (const { app, traceId, steps } of runs) for (const step of steps) this.#steps.delete(keyOf(app, traceId, step));
    const all = new Map(runs.map((run) => [runKey(run), run]));
    for (const { scope, batch } of written) {
      for (const { step, of } of this.#take(scope, batch)) {
        const run = all.get(runKey(of)) ?? { ...of, steps: [] };
        all.set(runKey(of), { ...run, steps: [...run.steps, step] });
      }
    }
    return [...all.values()];
  }

  #take(scope: Scope, { spans }: PreparedBatch): { step: Step; of: RunChange }[] {
    return spans.flatMap((span) => {
      const key = keyOf(scope, span.trace_id, span);
      const found = this.#steps.get(key);
      this.#steps.delete(key);
      return found ? [found] : [];
    });
  }
}

const runKey = ({ app: { tenant_id, app_id }, traceId }: Pick<RunChange, 'app' | 'traceId'>): string =>
  JSON.stringify([tenant_id, app_id, traceId]);

const keyOf = ({ tenant_id, app_id }: Scope, traceId: string, { span_id, pending }: Pick<Step, 'span_id' | 'pending'>): string =>
  JSON.stringify([tenant_id, app_id, traceId, span_id, pending]);
