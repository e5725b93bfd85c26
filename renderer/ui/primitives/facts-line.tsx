import { Text } from './text.tsx';

/** Facts in one line: muted names, bold values. */
export const FactsLine = ({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  <section aria-label="Facts" tabIndex={0} className="shrink-0 overflow-x-auto border-line border-b px-pad py-2">
    <dl className="flex gap-5 whitespace-nowrap">
      {facts.map(([name, value]) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-fg-3 text-row">{name}</dt>
          <dd>
            <Text strong className="tabular-nums">
              {value}
            </Text>
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
