import { gatewayOrigin } from '../../api/client.ts';
import { useAppId } from '../../api/identity.ts';
import { environmentLines } from '../../model/setup/setup-lines.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { CodeBlock } from '../../ui/viewers/code-block.tsx';
import type { CreatedKey } from './keys-query.ts';

/** Shows the value of a new key, only once, with the settings that use it. */
export function CreatedKeyDialog({ created, onClose }: { created: CreatedKey; onClose: () => void }) {
  const appId = useAppId();
  const canWrite = created.permissions.includes('trace.write');
  return (
    <Dialog title={`API key ${created.name}`} onClose={onClose}>
      <div className="grid gap-3">
        <Text as="p" size="body" tone="warm">
          The value is shown only this once. Copy it now; it cannot be recovered later.
        </Text>
        <CodeBlock code={created.plaintext_key} label="the key" />
        {canWrite && (
          <>
            <Text as="p" size="body" tone="quiet">
              Set these variables before a program starts, and its OpenTelemetry SDK sends here:
            </Text>
            <CodeBlock code={environmentLines({ origin: gatewayOrigin(), appId, key: created.plaintext_key })} label="the variables" />
            {created.environment_kinds && (
              <Text as="p" tone="dim">
                Each program also names its environment: add x-service-environment with the name to the headers. Data that names no
                environment of this kind is stored without one.
              </Text>
            )}
          </>
        )}
        <div>
          <Button primary onClick={onClose}>
            I have copied it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
