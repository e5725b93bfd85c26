import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { splitPx } from './primitives/narrow.ts';

// Not `?raw`: Vitest empties every stylesheet it imports.
const sheet = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

type Rgb = readonly [number, number, number];
type Paint = { rgb: Rgb; alpha: number };
const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];

function paint(hex: string): Paint {
  const bytes = hex.match(/[0-9a-f]{2}/gi)?.map((byte) => Number.parseInt(byte, 16)) ?? [];
  const [r = 0, g = 0, b = 0, a = 255] = bytes;
  return { rgb: [r, g, b], alpha: a / 255 };
}

const colours = new Map(
  [...sheet.matchAll(/--color-([\w-]+): light-dark\((#[0-9a-f]{6,8}), (#[0-9a-f]{6,8})\);/gi)].map(
    ([, name = '', light = '', dark = '']) => [name, { light: paint(light), dark: paint(dark) }],
  ),
);

const blend = (top: Paint, below: Rgb): Rgb =>
  top.rgb.map((channel, i) => channel * top.alpha + (below[i] ?? 0) * (1 - top.alpha)) as unknown as Rgb;

function luminance(rgb: Rgb): number {
  const [r = 0, g = 0, b = 0] = rgb.map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function colour(name: string, theme: Theme): Paint {
  const found = colours.get(name);
  if (!found) throw new Error(`no token --color-${name}`);
  return found[theme];
}

const backgrounds = ['bg', 'panel', 'raised'];
const overlays = ['select', 'hover', 'err-bg', 'added', 'removed'];
const texts = ['fg', 'fg-2', 'fg-3', 'accent', 'ok', 'err', 'warm'];
const kinds = ['llm', 'tool', 'agent', 'retrieval', 'embedding', 'guardrail', 'function'];

/** Every surface that text can be on: a background, an overlay on a background, and a hovered selected row (rows are on bg or panel). */
function surfaces(theme: Theme): [string, Rgb][] {
  return backgrounds.flatMap((background) => {
    const base = colour(background, theme).rgb;
    const overlaid = overlays.map((overlay): [string, Rgb] => [`${overlay} on ${background}`, blend(colour(overlay, theme), base)]);
    const both: Rgb = blend(colour('hover', theme), blend(colour('select', theme), base));
    const rows: [string, Rgb][] = background === 'raised' ? [] : [[`hover on select on ${background}`, both]];
    return [[background, base] as [string, Rgb], ...overlaid, ...rows];
  });
}

describe('token sheet', () => {
  it('defines every colour as one light-dark pair, so that this test covers all of them', () => {
    const declared = [...sheet.matchAll(/--color-([\w-]+):/g)].length;
    expect(declared).toBeGreaterThan(20);
    expect(colours.size).toBe(declared);
  });

  for (const theme of themes) {
    for (const text of texts) {
      it(`${text} is readable on every surface in ${theme}`, () => {
        for (const [name, rgb] of surfaces(theme)) {
          const ratio = contrast(colour(text, theme).rgb, rgb);
          expect(ratio, `${text} on ${name} in ${theme}`).toBeGreaterThanOrEqual(4.5);
        }
      });
    }

    it(`the letter on every kind is readable in ${theme}`, () => {
      for (const kind of kinds) {
        const ratio = contrast(colour('on-kind', theme).rgb, colour(kind, theme).rgb);
        expect(ratio, `on-kind on ${kind} in ${theme}`).toBeGreaterThanOrEqual(4.5);
      }
    });

    it(`found text stays readable under its mark in ${theme}`, () => {
      for (const [name, rgb] of surfaces(theme)) {
        const ratio = contrast(colour('fg', theme).rgb, blend(colour('mark', theme), rgb));
        expect(ratio, `fg on mark on ${name} in ${theme}`).toBeGreaterThanOrEqual(4.5);
      }
    });
  }
});

it('the width that media queries need is the same in the style sheet and in the code', () => {
  expect(sheet).toContain(`--breakpoint-split: ${splitPx}px;`);
});

it('no token has two values', () => {
  const names = [...sheet.matchAll(/^ {2}(--[\w-]+):/gm)].map(([, name]) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
