/** Licences of the packages that ship with the product. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface LockedPackage {
  version?: string;
  dev?: boolean;
  devOptional?: boolean;
}

export interface ShippedPackage {
  name: string;
  version: string;
  /** SPDX expression. */
  license: string;
  /** Its licence file; '' when it has none. */
  text: string;
}

/** Licences that allow shipping a copy with their notice. */
const allowed: ReadonlySet<string> = new Set([
  ...[
    'MIT',
    'MIT-0',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'CC0-1.0',
    'Unlicense',
    'Python-2.0',
    'PSF-2.0',
  ],
  // Fonts, and files that are not changed.
  ...['OFL-1.1', 'MPL-2.0'],
]);

/** Of packages that name their licence in their readme only. */
const named: Readonly<Record<string, string>> = { 'format@0.2.2': 'MIT' };

const licenseFile = /^(?:licen[cs]e|copying)(?:[.-].*)?$/i;

/** The packages that `npm ci --omit=dev` installs, apart from those of other systems, and the prices. */
export function shippedPackages(root: string): ShippedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> };
  const folders = Object.entries(packages).flatMap(([folder, { dev, devOptional }]) => (folder === '' || dev || devOptional ? [] : folder));
  const found = folders.filter((folder) => existsSync(join(root, folder, 'package.json'))).map((folder) => readPackage(join(root, folder)));
  const { source } = JSON.parse(readFileSync(join(root, 'server/ingest/cost/prices.json'), 'utf8')) as { source: Record<string, string> };
  found.push({ name: source['package'] ?? '', version: source['version'] ?? '', license: source['license'] ?? '', text: '' });
  const unique = new Map(found.map((shipped) => [`${shipped.name}@${shipped.version}`, shipped]));
  return [...unique.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readPackage(folder: string): ShippedPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const file = readdirSync(folder).find((entry) => licenseFile.test(entry));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
  const stated = typeof license === 'string' ? license : named[`${name}@${version}`];
  return { name: String(name), version: String(version), license: stated ?? '', text };
}

/** Packages whose licence is unknown, or does not allow shipping them. */
export const notAllowed = (packages: readonly ShippedPackage[]): string[] =>
  packages.filter(({ license }) => !isAllowed(license)).map(({ name, version, license }) => `${name} ${version}: ${license || 'none'}`);

const isAllowed = (expression: string): boolean =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((license) => allowed.has(license.trim())));

export function noticesOf(packages: readonly ShippedPackage[]): string {
  // For a package without a licence file, that of another one. Of MIT, what follows the names.
  const textOf = (wanted: string, from: string) => {
    const text = packages.find(({ license, text }) => license === wanted && text.includes(from))?.text ?? '';
    return text.slice(text.indexOf(from));
  };
  const standard: Readonly<Record<string, string>> = {
    'Apache-2.0': textOf('Apache-2.0', 'Apache License'),
    MIT: textOf('MIT', 'Permission is hereby granted'),
  };
  const noticeOf = ({ name, version, license, text }: ShippedPackage) =>
    `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${text || (standard[license] ?? license)}\n`;
  return ['Glasshouse contains these packages, or was built with them, under their licences.\n', ...packages.map(noticeOf)].join('\n');
}
