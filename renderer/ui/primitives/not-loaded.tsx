/** Shown instead of a record while it is loaded, when it does not exist, and when it could not be loaded. */
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import { FailedState, type FailedStateProps } from './failed-state.tsx';
import { SkeletonRows } from './skeleton.tsx';
import { Text } from './text.tsx';

interface NotLoadedProps {
  /** Kind of record in the singular, such as `eval run`. */
  noun: string;
  /** Null while it is loaded for the first time. */
  failure: FailedStateProps['failure'] | null;
  isMissing: boolean;
  /** Opens the list of all records. */
  onAll: () => void;
  onRetry: () => void;
}

export function NotLoaded({ noun, failure, isMissing, onAll, onRetry }: NotLoadedProps) {
  const title = `${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}`;
  if (isMissing) return <EmptyState isPage title={`${title} not found`} action={<Button onClick={onAll}>{`All ${noun}s`}</Button>} />;
  if (failure) return <FailedState isPage failure={failure} onRetry={onRetry} />;
  return (
    <>
      <Text as="h1" size="title" className="sr-only">
        {title}
      </Text>
      <SkeletonRows label={`Loading the ${noun}`} />
    </>
  );
}
