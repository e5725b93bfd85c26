import { SkeletonLine, SkeletonRows } from '../../../ui/primitives/skeleton.tsx';
import { Split } from '../../../ui/primitives/split.tsx';
import { Text } from '../../../ui/primitives/text.tsx';

/** Placeholder with the layout of the page. */
export const TraceSkeleton = () => (
  <>
    <header className="flex h-header shrink-0 items-center border-line border-b px-pad">
      <Text size="body" tone="dim">
        Traces /
      </Text>
    </header>
    <div className="after-a-moment shrink-0 border-line border-b px-pad py-3">
      <SkeletonLine wide />
    </div>
    <div className="h-header shrink-0 border-line border-b bg-panel" />
    <Split
      isDetailWanted={false}
      index={
        <>
          <div className="h-header shrink-0 border-line border-b" />
          <SkeletonRows rows={20} label="Loading the trace" />
        </>
      }
      detail={null}
    />
  </>
);
