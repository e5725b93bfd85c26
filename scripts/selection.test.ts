import { describe, expect, it } from 'vitest';
import { type Sources, select } from './selection.ts';

const loads = (from: string, ...to: string[]) => to.map((one) => ({ from, to: one, isLoaded: true, isAddress: false }));

function tree(...imports: Sources['imports'][number][][]): Sources {
  const all = imports.flat();
  return { imports: all, files: [...new Set(all.flatMap(({ from, to }) => [from, to]))] };
}

const many = Array.from({ length: 12 }, (_, nth) => `server/modules/other-${nth}.gateway.test.ts`);
const gateway = 'server/entry/local.ts';
const served = tree(
  loads(gateway, 'server/modules/evaluation/scores.ts', 'server/modules/keys.ts'),
  loads('server/modules/evaluation/scores.ts', 'shared/score.ts'),
  ...[...many, 'server/modules/evaluation/scores.gateway.test.ts'].map((test) => loads(test, gateway)),
  loads('server/entry/kills.crash.test.ts', gateway),
  loads('shared/score.test.ts', 'shared/score.ts'),
  loads('shared/filter.test.ts', 'shared/filter.ts'),
);

describe('a change is proven by', () => {
  it('every pure test that loads it, by whatever way, and no other', () => {
    expect(select(['shared/score.ts'], served).tests).toContain('shared/score.test.ts');
    expect(select(['shared/score.ts'], served).tests).not.toContain('shared/filter.test.ts');
    expect(select(['shared/filter.ts'], served)).toEqual({ tests: ['shared/filter.test.ts'], left: [], journeys: [] });
  });

  it('the tests with a gateway that bear its name, then a few of the others; those left out are told', () => {
    const { tests, left } = select(['server/modules/evaluation/scores.ts'], served);
    expect(tests).toHaveLength(4);
    expect(tests[0]).toBe('server/modules/evaluation/scores.gateway.test.ts');
    expect(left).toHaveLength(10);
    expect(left).toContain('server/entry/kills.crash.test.ts');
  });

  it('every test that changed itself, whatever its tier', () => {
    const changed = [...many, 'server/entry/kills.crash.test.ts'];
    expect(select(changed, served).tests.sort()).toEqual([...changed].sort());
  });

  it('tests of a thread that is started by its address, and not by those that take only its types', () => {
    const imports = [
      { from: 'server/store.ts', to: 'server/thread.ts', isLoaded: false, isAddress: true },
      { from: 'server/reader.ts', to: 'server/thread.ts', isLoaded: false, isAddress: false },
      ...loads('server/store.gateway.test.ts', 'server/store.ts'),
      ...loads('server/reader.test.ts', 'server/reader.ts'),
    ];
    expect(select(['server/thread.ts'], tree(imports)).tests).toEqual(['server/store.gateway.test.ts']);
  });

  it('the journey of its screen, by the nearest name', () => {
    const files = ['e2e/screens-scores.spec.ts', 'e2e/trace-page.spec.ts', 'e2e/traces-list.spec.ts', 'e2e/runs.ts'];
    const journeys = (file: string) => select([file], { files, imports: [] }).journeys;
    expect(journeys('renderer/features/scores/scores-screen.tsx')).toEqual(['e2e/screens-scores.spec.ts']);
    expect(journeys('renderer/features/traces/columns.tsx')).toEqual(['e2e/traces-list.spec.ts']);
    expect(journeys('renderer/ui/primitives/button.tsx')).toEqual([]);
    expect(journeys('e2e/trace-page.spec.ts')).toEqual(['e2e/trace-page.spec.ts']);
  });
});
