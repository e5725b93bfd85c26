import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Notice } from '../../../shared/contract/evaluation/notices.ts';
import { gateway } from '../../api/client.ts';
import { useAppId } from '../../api/identity.ts';
import { enterApp } from '../../api/sign-in.ts';
import { openAct } from '../../ui/overlays/chosen-places.ts';

const route = getRouteApi('/inbox');

/** Leads to the comment of a notice. One of another app is opened by the inbox in that app. */
export function useOpenNotice(): (notice: Notice) => Promise<void> {
  const navigate = useNavigate();
  const appId = useAppId();
  return async ({ id, app_id, comment }) => {
    if (app_id !== appId) return enterApp(app_id, `#/inbox?open=${id}`);
    const { resource_type, resource_id } = comment;
    if (resource_type === 'session') {
      await navigate({ to: '/sessions/$sessionId', params: { sessionId: resource_id } });
      return openAct('comment', [{ traceId: '', spanId: '', sessionId: resource_id }]);
    }
    const place =
      resource_type === 'trace'
        ? { trace_id: resource_id, span_id: null }
        : (await gateway.viewer.place({ params: { id: resource_id } })).data;
    await navigate({
      to: '/traces/$traceId',
      params: { traceId: place.trace_id },
      search: { tab: 'comments', comment: comment.id, ...(place.span_id !== null && { span: place.span_id }) },
    });
  };
}

/** Opens the notice that the address names, once it is loaded. */
export function useOpenAtOnce(rows: readonly Notice[], open: (notice: Notice) => void): void {
  const { open: wanted } = route.useSearch();
  const isDone = useRef(false);
  const found = rows.find(({ id }) => id === wanted);
  useEffect(() => {
    if (!found || isDone.current) return;
    isDone.current = true;
    open(found);
  });
}
