import { type FormEvent, useState } from 'react';
import type { Permission } from '../../../shared/contract/identity/permissions.ts';
import { useMay } from '../../api/identity.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { CheckField } from '../../ui/primitives/check-field.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SelectField } from '../../ui/primitives/select-field.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { permissionGroups, presets } from './key-rights.ts';
import { type MadeKey, type NewKey, useEnvironmentNames, useMakeKey } from './keys-query.ts';

const custom = 'custom';
const rights = [...presets.map(({ id, label }) => ({ id, label })), { id: custom, label: 'Custom' }] as const;
type Rights = (typeof rights)[number]['id'];

const kinds = ['development', 'preview', 'production'] as const;
type Kind = (typeof kinds)[number];
const kindOf = (value: string): Kind | undefined => kinds.find((kind) => value === `kind:${kind}`);

interface KeyFormProps {
  /** The name of the environment that is offered first. */
  environment: string | undefined;
  onClose: () => void;
  onMade: (made: MadeKey) => void;
}

/** Form for a new key: permissions and environment. */
export function KeyForm({ environment, onClose, onMade }: KeyFormProps) {
  const make = useMakeKey();
  const environments = useEnvironmentNames().data ?? [];
  const [name, setName] = useState('');
  const [right, setRight] = useState<Rights>('sdk');
  const [own, setOwn] = useState<readonly Permission[]>([]);
  const [place, setPlace] = useState(environment ? `name:${environment}` : '');
  const held = presets.find(({ id }) => id === right)?.permissions ?? own;
  const isReady = name.trim() !== '' && held.length > 0 && !make.isPending;
  const refusal = refusalOf(make.error);
  const kind = kindOf(place);
  const places = [
    { id: '', label: 'The default environment' },
    ...environments.filter((each) => !each.is_default).map((each) => ({ id: `name:${each.name}`, label: each.name })),
    ...kinds.map((each) => ({ id: `kind:${each}`, label: `The ${each} environment that each write names` })),
  ];

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const where: Partial<NewKey> = kind ? { environment_kinds: [kind] } : place ? { environment_name: place.slice('name:'.length) } : {};
    make.mutate({ name: name.trim(), permissions: [...held], ...where }, { onSuccess: onMade });
  };
  return (
    <Dialog title="New key" onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        <Field
          label="Name"
          autoFocus
          value={name}
          placeholder="support-bot, production"
          problem={refusal.fields.name}
          onChange={(event) => setName(event.target.value)}
        />
        <fieldset aria-label="Access" className="grid justify-items-start gap-1">
          <Text size="label" tone="quiet">
            Access
          </Text>
          <Segmented label="Access" options={rights} value={right} onChange={setRight} />
          <Text size="label" tone="dim">
            {presets.find(({ id }) => id === right)?.about ?? 'What is ticked below, and nothing else.'}
          </Text>
        </fieldset>
        {right === custom && <CustomRights held={own} onChange={setOwn} />}
        <SelectField
          label="Environment of its traces"
          options={places}
          value={place}
          onChange={setPlace}
          problem={refusal.fields.environment_name ?? refusal.fields.environment_kinds}
          help={kind ? 'Each request names its environment, in the header X-Service-Environment.' : 'Whatever the sender claims.'}
        />
        <FormFoot problem={restOf(refusal, ['name', 'environment_name', 'environment_kinds'])}>
          <Button submit primary disabled={!isReady}>
            Make the key
          </Button>
          <Text tone="dim">Its value is shown once.</Text>
        </FormFoot>
      </form>
    </Dialog>
  );
}

/** Only permissions that the user has can be granted. */
function CustomRights({ held, onChange }: { held: readonly Permission[]; onChange: (held: readonly Permission[]) => void }) {
  const may = useMay();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section aria-label="Permissions" tabIndex={0} className="max-h-image overflow-y-auto border-line border-y py-2">
      {/* Inside the scroll container: columns with a fixed height would grow sideways. */}
      <div className="columns-3 gap-4">
        {permissionGroups.map(([resource, all]) => (
          <fieldset key={resource} aria-label={resource} className="break-inside-avoid pb-2">
            {all.map((permission) => (
              <CheckField
                key={permission}
                label={permission}
                mono
                isOn={held.includes(permission)}
                isDisabled={!may(permission)}
                onChange={(isOn) => onChange(isOn ? [...held, permission] : held.filter((each) => each !== permission))}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </section>
  );
}
