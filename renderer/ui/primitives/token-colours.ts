/** Token colours for canvases, which cannot use CSS variables. Read again when the theme changes. */
import { useSyncExternalStore } from 'react';
import type { SemanticKind } from '../../../shared/contract/tracing/semantic-kinds.ts';

const names = ['bg', 'panel', 'line', 'line-2', 'fg', 'fg-2', 'fg-3', 'accent', 'select', 'err', 'warm'] as const;
const kinds: readonly SemanticKind[] = ['function', 'llm', 'tool', 'agent', 'retrieval', 'embedding', 'guardrail'];

export type Colours = Record<(typeof names)[number] | SemanticKind, string>;

function read(): Colours {
  const probe = document.createElement('span');
  document.body.append(probe);
  const colour = (name: string) => {
    probe.style.color = `var(--color-${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = Object.fromEntries([...names, ...kinds].map((name) => [name, colour(name)])) as Colours;
  probe.remove();
  return colours;
}

let cached: Colours | null = null;

function watch(onChange: () => void) {
  const onThemeChange = () => {
    cached = null;
    onChange();
  };
  const systemTheme = window.matchMedia('(prefers-color-scheme: dark)');
  const themeAttribute = new MutationObserver(onThemeChange);
  themeAttribute.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  systemTheme.addEventListener('change', onThemeChange);
  return () => {
    themeAttribute.disconnect();
    systemTheme.removeEventListener('change', onThemeChange);
  };
}

/** Returns the same object until the theme changes. */
export const useColours = (): Colours =>
  useSyncExternalStore(watch, () => {
    cached ??= read();
    return cached;
  });
