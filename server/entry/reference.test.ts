/** The numbers and lists of docs/reference are those of the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bodyLimits } from '../../shared/contract/core/body-limit.ts';
import { errorStatus } from '../../shared/contract/core/errors.ts';
import { archiveBytesMax, exportBytesMax } from '../../shared/contract/core/export-limits.ts';
import type { Route } from '../../shared/contract/core/route.ts';
import { permissions } from '../../shared/contract/identity/permissions.ts';
import { contract } from '../../shared/contract/index.ts';
import { semanticKinds } from '../../shared/contract/tracing/semantic-kinds.ts';
import { keepDaysMax, storeBytesMin } from '../../shared/contract/viewer/viewer-storage.ts';
import { filterLimits, kindRules, staticFields } from '../../shared/filter/fields.ts';
import { permissionsOf } from '../identity/role-permissions.ts';
import { queueLimits } from '../ingest/admission.ts';
import { otlpLimits } from '../ingest/otlp/limits.ts';
import { configBytesMax, datasetBytesMax, templateBytesMax } from '../project/project-config.ts';

const page = (name: string): string => readFileSync(join(import.meta.dirname, '../../docs/reference', `${name}.md`), 'utf8');

/** The text between a heading and the next one. */
function section(name: string, heading: string): string {
  const [, text = ''] = new RegExp(`^## ${heading}\\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, 'm').exec(page(name)) ?? [];
  expect(text, `${name}.md has a section ${heading}`).not.toBe('');
  return text.replace(/\s+/g, ' ');
}

const inCode = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
const grouped = (count: number): string => count.toLocaleString('en-US');
const mebibytes = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;

describe('http-api.md', () => {
  it('has every error code once, at its status', () => {
    const rows = [...section('http-api', 'Error codes').matchAll(/\| (\d{3}) \| ([^|]*) \|/g)];
    const listed = rows.flatMap(([, status, codes = '']) => inCode(codes).map((code) => [code, Number(status)] as const));
    expect(Object.fromEntries(listed)).toEqual(errorStatus);
    expect(listed).toHaveLength(Object.keys(errorStatus).length);
  });

  it('has every deprecated route', () => {
    const routes = Object.values(contract).flatMap((group) => Object.values(group as Record<string, Route>));
    const paths = routes.filter(({ deprecated }) => deprecated).map(({ path }) => path.replace(/:(\w+)/g, '{$1}'));
    const text = section('http-api', 'Versions');
    expect(paths.filter((path) => !text.includes(`GET ${path}`))).toEqual([]);
    expect(paths).toHaveLength(3);
  });
});

describe('access.md', () => {
  it('has every permission', () => {
    const listed = inCode(section('access', 'Permissions').split('The dashboard offers')[0] ?? '');
    expect(permissions.filter((permission) => !listed.includes(permission))).toEqual([]);
  });

  it('has the permissions that writers lack', () => {
    const text = section('access', 'Roles');
    const lacking = permissions.filter((permission) => !permissionsOf.write.has(permission));
    expect(lacking.filter((permission) => !text.includes(`\`${permission}\``))).toEqual([]);
  });
});

describe('filters.md', () => {
  it('has every field, kind, operator and limit', () => {
    const text = page('filters');
    const names = Object.values(staticFields).flatMap((fields) => Object.keys(fields));
    const operators = Object.values(kindRules).flat();
    expect([...names, ...operators].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
    const limits = section('filters', 'Limits');
    const { predicates, listValues, valueLength, fieldLength, textLength, depth } = filterLimits;
    const values = [
      `| ${predicates} |`,
      `| 1 to ${listValues} |`,
      `| ${valueLength} |`,
      `| ${fieldLength} |`,
      `| ${grouped(textLength)} |`,
      `| ${depth} |`,
    ];
    expect(values.filter((value) => !limits.includes(value))).toEqual([]);
  });
});

describe('ingest.md', () => {
  it('has the limits of a request', () => {
    const text = section('ingest', 'Limits');
    const { bodyBytesMax, attributesMax, eventsMax, linksMax, ...others } = otlpLimits;
    expect([attributesMax, eventsMax, linksMax]).toEqual([1024, 1024, 1024]);
    const values = [mebibytes(bodyBytesMax), '1,024 each', ...Object.values(others).map(grouped)];
    expect(values.filter((value) => !text.includes(`| ${value} |`))).toEqual([]);
  });

  it('has every kind', () => {
    const text = section('ingest', 'Kinds');
    expect(semanticKinds.filter((kind) => !text.includes(`\`${kind}\``))).toEqual([]);
  });
});

describe('durability.md', () => {
  it.each([
    ['Admission', `${mebibytes(queueLimits.bytesMax)} in ${queueLimits.requestsMax} requests`],
    ['Body limits', `| ${bodyLimits.credential / 1024} KiB, uncompressed only |`],
    ['Body limits', `| most routes | ${bodyLimits.standard / 1024} KiB |`],
    ['Body limits', `up to ${mebibytes(bodyLimits.maximum)}`],
    ['Body limits', `| ${mebibytes(archiveBytesMax)}, and ${mebibytes(exportBytesMax)} of JSON in it |`],
    ['Retention', `1 to ${grouped(keepDaysMax)}`],
    ['Retention', mebibytes(storeBytesMin)],
  ])('says under %s: %s', (heading, value) => expect(section('durability', heading)).toContain(value));
});

describe('project-files.md', () => {
  it.each([
    ['configuration', configBytesMax],
    ['template', templateBytesMax],
    ['dataset', datasetBytesMax],
  ])('says how large a %s may be', (file, bytes) => {
    expect(section('project-files', 'Limits')).toContain(`| ${file} | ${mebibytes(bytes)}`);
  });
});
