import { gatewayOrigin } from '../../api/client.ts';
import { useAppId } from '../../api/identity.ts';
import { environmentLines } from '../../model/setup/setup-lines.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { CodeBlock } from '../../ui/viewers/code-block.tsx';
import type { MadeKey } from './keys-query.ts';

/** The value of a key, this once, and the lines that it is for. */
export function MadeKeyDialog({ made, onClose }: { made: MadeKey; onClose: () => void }) {
  const appId = useAppId();
  const writes = made.permissions.includes('trace.write');
  return (
    <Dialog title={`The key ${made.name}`} onClose={onClose}>
      <div className="grid gap-3">
        <Text as="p" size="body" tone="warm">
          This is the only time its value is shown. Copy it now; what is kept of it cannot be turned back into it.
        </Text>
        <CodeBlock code={made.plaintext_key} label="the key" />
        {writes && (
          <>
            <Text as="p" size="body" tone="quiet">
              Set this before a program starts, and its OpenTelemetry SDK sends here:
            </Text>
            <CodeBlock
              code={environmentLines({ origin: gatewayOrigin(), appId, key: made.plaintext_key })}
              label="the lines that set a program up"
            />
            {made.environment_kinds && (
              <Text as="p" tone="dim">
                Each program also says which environment it is: add x-service-environment with its name to the headers. What names none of
                the right kind is kept without one.
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
