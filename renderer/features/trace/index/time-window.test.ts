import { expect, it, vi } from 'vitest';
import { TimeWindow } from './time-window.ts';

const aWindow = () => {
  const window = new TimeWindow();
  window.setWhole(0, 1000);
  return window;
};

it('shows the whole trace until it is narrowed, and again when the range covers everything', () => {
  const window = aWindow();
  expect([window.range, window.narrowed()]).toEqual([{ from: 0, to: 1000 }, null]);
  window.narrow({ from: 400, to: 200 });
  expect(window.range).toEqual({ from: 200, to: 400 });
  window.narrow({ from: -5, to: 2000 });
  expect(window.narrowed()).toBeNull();
});

it('zooms around a moment, which stays in place, and not beyond the trace', () => {
  const window = aWindow();
  window.zoom(0.5, 250);
  expect(window.range).toEqual({ from: 125, to: 625 });
  window.zoom(10, 250);
  expect(window.range).toEqual({ from: 0, to: 1000 });
});

it('pans to the ends of the trace and no further', () => {
  const window = aWindow();
  window.narrow({ from: 100, to: 200 });
  window.pan(-5);
  expect(window.range).toEqual({ from: 0, to: 100 });
  window.pan(50);
  expect(window.range).toEqual({ from: 900, to: 1000 });
});

it('moves to a span outside the range, and stays if the span is visible', () => {
  const window = aWindow();
  window.narrow({ from: 100, to: 200 });
  window.reveal({ from: 190, to: 900 });
  expect(window.range).toEqual({ from: 100, to: 200 });
  window.reveal({ from: 500, to: 520 });
  expect(window.range).toEqual({ from: 460, to: 560 });
});

it('stays in place while the trace grows, and notifies listeners of changes only', () => {
  const window = aWindow();
  window.narrow({ from: 100, to: 200 });
  const changed = vi.fn();
  const stop = window.watch(changed);
  window.narrow({ from: 100, to: 200 });
  window.point(null);
  expect(changed).not.toHaveBeenCalled();
  window.setWhole(0, 5000);
  expect([window.range, changed.mock.calls.length]).toEqual([{ from: 100, to: 200 }, 1]);
  stop();
  window.point(3);
  expect(changed).toHaveBeenCalledTimes(1);
});
