import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { useResourceLocation } from './queues-query.ts';
import { Review } from './review.tsx';
import type { ReviewFormProps } from './review-form.tsx';

export interface ResourceLocation {
  trace_id: string;
  span_id: string | null;
}

/** Renders the resource of an item. */
export type ShowResource = (location: ResourceLocation, onBack: () => void) => ReactNode;

interface ReviewWorkProps extends ReviewFormProps {
  show: ShowResource;
  onBack: () => void;
}

/** An item beside its review form. */
export function ReviewWork({ show, onBack, ...form }: ReviewWorkProps) {
  return (
    <div className="flex min-h-0 flex-1 flex-col facets:flex-row">
      <section aria-label="Item" className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ItemResource item={form.item} show={show} onBack={onBack} />
      </section>
      <section
        aria-label="Review"
        className="max-h-2/5 shrink-0 overflow-y-auto border-line border-t facets:max-h-none facets:w-panel facets:border-t-0 facets:border-l"
      >
        <Review {...form} />
      </section>
    </div>
  );
}

function ItemResource({ item, show, onBack }: Pick<ReviewWorkProps, 'item' | 'show' | 'onBack'>) {
  const location = useResourceLocation(item);
  if (location.data) return show(location.data, onBack);
  if (location.data === null)
    return (
      <EmptyState title="Session">
        <Link
          to="/sessions/$sessionId"
          params={{ sessionId: item.resource_id }}
          target="_blank"
          className="wrap-anywhere text-accent hover:underline"
        >
          {`Open ${item.resource_id} in new window`}
        </Link>
      </EmptyState>
    );
  if (!location.isError) return <SkeletonRows label="Loading the item" />;
  return isNotFound(location.error) ? (
    <EmptyState title="Item not found">{`No span has the ID ${item.resource_id}: its trace was deleted, or has not arrived. Skip the item, or review it without seeing it.`}</EmptyState>
  ) : (
    <FailedState failure={asFailure(location.error, 'The item could not be loaded')} onRetry={() => void location.refetch()} />
  );
}
