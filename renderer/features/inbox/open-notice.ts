import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Notice } from '../../../shared/contract/evaluation/notices.ts';
import { gateway } from '../../api/client.ts';
import { useAppId, useMe } from '../../api/identity.ts';
import { useMarkNotice, type useNotices } from '../../api/notices.ts';
import { enterApp } from '../../api/sign-in.ts';
import { openAct } from '../../ui/overlays/chosen-places.ts';

const route = getRouteApi('/inbox');

interface Opening {
  notice: Notice;
  /** In place of the inbox in the history: Back would open it again from an address that names a notice. */
  replace?: boolean;
}

/** Leads to the comment of a notice, then marks it as read. One of another app is opened, and marked, by the inbox in that app. */
export function useOpenNotice() {
  const appId = useAppId();
  const me = useMe();
  const { mutate: mark } = useMarkNotice();
  const lead = useLeadToComment();
  return useMutation({
    networkMode: 'always',
    mutationFn: async ({ notice, replace = false }: Opening) => {
      const { id, app_id, read_at } = notice;
      if (app_id !== appId) {
        if (!me?.apps.some((app) => app.id === app_id)) throw new Error('You cannot open the app of this comment, or it was deleted.');
        return enterApp(app_id, `#/inbox?app=${app_id}&open=${id}`);
      }
      await lead(notice, replace);
      if (read_at === null) mark({ id, isRead: true });
    },
  });
}

function useLeadToComment() {
  const navigate = useNavigate();
  return async ({ comment }: Notice, replace: boolean): Promise<void> => {
    const { resource_type, resource_id } = comment;
    if (resource_type === 'session') {
      await navigate({ to: '/sessions/$sessionId', params: { sessionId: resource_id }, replace });
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
      replace,
    });
  };
}

/** Opens the notice that the address names, and loads older ones until it is there. @returns whether there is no such notice */
export function useOpenAtOnce(notices: ReturnType<typeof useNotices>, open: (opening: Opening) => void): boolean {
  const { open: wanted } = route.useSearch();
  const opened = useRef<string>(undefined);
  const { data, hasNextPage, isFetching, isFetchedAfterMount, isError, fetchNextPage } = notices;
  const found = data?.pages.flatMap((page) => page.data).find(({ id }) => id === wanted);
  const isMissing = wanted !== undefined && data !== undefined && !found;
  useEffect(() => {
    if (found && opened.current !== wanted) {
      opened.current = wanted;
      open({ notice: found, replace: true });
    } else if (isMissing && hasNextPage && !isFetching && !isError) void fetchNextPage();
  });
  return isMissing && !hasNextPage && isFetchedAfterMount;
}
