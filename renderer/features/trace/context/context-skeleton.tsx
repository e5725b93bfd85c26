import { SkeletonLine, SkeletonRows } from '../../../ui/primitives/skeleton.tsx';

const heights = [34, 38, 44, 47, 52, 54, 60, 62, 63, 66, 70, 72];

/** Placeholder with the layout of the view. */
export const ContextSkeleton = () => (
  <div className="@container flex h-full min-h-0 flex-1">
    <div role="status" aria-label="Loading the context windows" className="after-a-moment flex min-w-0 flex-1 flex-col">
      <div className="grid shrink-0 grid-cols-3 border-line border-b">
        {['cache', 'bill', 'limit'].map((verdict) => (
          <div key={verdict} className="grid gap-2.5 px-pad py-3">
            <SkeletonLine />
            <SkeletonLine wide />
          </div>
        ))}
      </div>
      <div aria-hidden="true" className="flex min-h-0 flex-1 items-end gap-2 p-pad">
        {heights.map((height) => (
          <span key={height} className="flex-1 rounded-key bg-raised" style={{ height: `${height}%` }} />
        ))}
      </div>
    </div>
    <div className="w-0 overflow-hidden border-line border-l @beside:w-(--width-context-side)">
      <SkeletonRows rows={12} label="Loading the parts" />
    </div>
  </div>
);
