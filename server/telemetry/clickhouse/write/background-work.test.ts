import { expect, it } from 'vitest';
import { BackgroundWork, pauseAfter } from './background-work.ts';

it('a step that fails is reported and tried again, and holds up no other work', async () => {
  const steps: string[] = [];
  const failures: string[] = [];
  let isBroken = true;
  const work = new BackgroundWork({
    firstPauseMs: 1,
    step: async (key) => {
      steps.push(key);
      if (key === 'broken' && isBroken) throw new Error('not yet');
      return key === 'long' && steps.filter((step) => step === key).length < 3;
    },
    onFailure: (key, error) => failures.push(`${key}: ${String(error)}`),
  });
  for (const key of ['broken', 'long', 'short']) work.start(key);
  await expect.poll(() => failures.length).toBeGreaterThan(2);
  expect(new Set(failures)).toEqual(new Set(['broken: Error: not yet']));
  expect(steps.filter((step) => step !== 'broken')).toEqual(['long', 'short', 'long', 'long']);
  isBroken = false;
  const failed = failures.length;
  work.start('broken');
  await expect.poll(() => steps.filter((step) => step === 'broken').length).toBeGreaterThan(failed);
  await work.stop();
  expect(failures).toHaveLength(failed);
});

it('what comes while its own step runs has another step', async () => {
  let steps = 0;
  const work: BackgroundWork = new BackgroundWork({
    step: async () => {
      steps += 1;
      if (steps === 1) work.start('app');
      return false;
    },
    onFailure: () => {},
  });
  work.start('app');
  await expect.poll(() => steps).toBe(2);
  await work.stop();
});

it('pauses grow up to a minute', () => {
  expect([1, 2, 3, 7, 200].map((failures) => pauseAfter(failures, 1000))).toEqual([1000, 2000, 4000, 60_000, 60_000]);
});
