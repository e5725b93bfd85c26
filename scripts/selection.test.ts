import { describe, expect, it } from 'vitest';
import { type Sources, select } from './selection.ts';

const loads = (from: string, ...to: string[]) => to.map((file) => ({ from, to: file, isLoaded: true, isAddress: false }));

function tree(...imports: Sources['imports'][number][][]): Sources {
  const all = imports.flat();
  return { imports: all, files: [...new Set(all.flatMap(({ from, to }) => [from, to]))] };
}

const many = Array.from({ length: 12 }, (_, nth) => `server/modules/other-${nth}.gateway.test.ts`);
const gateway = 'server/entry/local.ts';
const gatewaySources = tree(
  loads(gateway, 'server/modules/evaluation/scores.ts', 'server/modules/keys.ts'),
  loads('server/modules/evaluation/scores.ts', 'shared/score.ts'),
  ...[...many, 'server/modules/evaluation/scores.gateway.test.ts'].map((test) => loads(test, gateway)),
  loads('server/entry/kills.crash.test.ts', gateway),
  loads('shared/score.test.ts', 'shared/score.ts'),
  loads('shared/filter.test.ts', 'shared/filter.ts'),
);

describe('a change selects', () => {
  it('every pure test that loads it directly or indirectly, and no other pure test', () => {
    expect(select(['shared/score.ts'], gatewaySources).tests).toContain('shared/score.test.ts');
    expect(select(['shared/score.ts'], gatewaySources).tests).not.toContain('shared/filter.test.ts');
    expect(select(['shared/filter.ts'], gatewaySources)).toEqual({ tests: ['shared/filter.test.ts'], omitted: [], journeys: [] });
  });

  it('the gateway tests with its name and a few others, and lists the omitted ones', () => {
    const { tests, omitted } = select(['server/modules/evaluation/scores.ts'], gatewaySources);
    expect(tests).toHaveLength(4);
    expect(tests[0]).toBe('server/modules/evaluation/scores.gateway.test.ts');
    expect(omitted).toHaveLength(10);
    expect(omitted).toContain('server/entry/kills.crash.test.ts');
  });

  it('every changed test of any tier', () => {
    const changed = [...many, 'server/entry/kills.crash.test.ts'];
    expect(select(changed, gatewaySources).tests.sort()).toEqual([...changed].sort());
  });

  it('tests of a module that is loaded as a thread by URL, and not tests that import only its types', () => {
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
