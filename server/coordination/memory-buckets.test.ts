import { describeBuckets } from './conformance/describe-buckets.ts';
import { MemoryBuckets } from './memory-buckets.ts';

describeBuckets('in memory', async () => {
  let now = 0;
  return {
    buckets: new MemoryBuckets({ monotonic: () => now }),
    elapse: async (ms) => {
      now += ms;
    },
    stop: async () => {},
  };
});
