import { useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { useMay } from '../../api/identity.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { useAllowSharing, useMayShare, useRevokeShareLink, useShareLinks, useSharingAllowed } from '../../api/share-links.ts';
import { plural } from '../../model/text/format.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { CheckField } from '../../ui/primitives/check-field.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { shareLinkColumns } from './share-link-columns.tsx';

/** Links to traces of the app, and whether the team allows them. */
export function ShareLinksScreen() {
  const links = useShareLinks();
  const revoke = useRevokeShareLink();
  const mayShare = useMayShare();
  const working = links.data?.filter(({ state }) => state === 'works').length ?? 0;
  const problem = restOf(refusalOf(revoke.error), []);
  return (
    <>
      <title>Shared links · Glasshouse</title>
      <ScreenHeader title="Shared links">
        {problem && (
          <Text tone="err" cut title={problem}>
            {problem}
          </Text>
        )}
        <span className="ml-auto shrink-0">{links.data && <Text tone="dim">{`${plural(working, 'link')} can be opened`}</Text>}</span>
      </ScreenHeader>
      <AllowSharing />
      {links.isError && !links.data ? (
        <FailedState failure={asFailure(links.error, 'The links could not be loaded')} onRetry={() => void links.refetch()} />
      ) : links.data?.length === 0 ? (
        <Text as="p" size="body" tone="dim" className="p-pad">
          No trace of this app is shared. To share one, open it and choose “Share a link…”.
        </Text>
      ) : (
        <DataList
          label="Links"
          columns={shareLinkColumns(mayShare ? (link) => revoke.mutate(link.id) : null)}
          rows={links.data ?? []}
          onOpen={() => {}}
          listKey=""
        >
          <SkeletonRows label="Loading the links" />
        </DataList>
      )}
    </>
  );
}

/** Switch of the whole team. */
function AllowSharing() {
  const setting = useSharingAllowed();
  const allowed = setting.data;
  const allow = useAllowSharing();
  const mayChange = useMay()('app.write');
  const [isAsking, setAsking] = useState(false);
  const problem = restOf(refusalOf(allow.error), []);
  const close = () => {
    setAsking(false);
    allow.reset();
  };
  if (allowed === undefined)
    return setting.isError ? (
      <FailedState
        failure={asFailure(setting.error, 'Whether links are allowed could not be loaded')}
        onRetry={() => void setting.refetch()}
      />
    ) : null;
  return (
    <section aria-label="Permission" className="border-line border-b px-pad py-2">
      <CheckField
        label="Members may share traces by link"
        help="for all apps of the team"
        isOn={allowed}
        isDisabled={!mayChange}
        isBusy={allow.isPending}
        onChange={(isOn) => (isOn ? allow.mutate(true) : setAsking(true))}
      />
      {!isAsking && problem && (
        <p role="alert" className="text-err text-row">
          {problem}
        </p>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Forbid links to traces?"
          action="Forbid links"
          isBusy={allow.isPending}
          problem={problem}
          onConfirm={() => allow.mutate(false, { onSuccess: close })}
          onClose={close}
        >
          <p>All links to traces of all apps of the team stop at once. If links are allowed again, those that have not ended work again.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
