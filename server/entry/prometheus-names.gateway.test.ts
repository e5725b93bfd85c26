/** Alert rules and the dashboard name only metrics, labels and values that a gateway exports: others would be silent forever. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { errorStatus } from '../../shared/contract/core/errors.ts';
import type { Route } from '../../shared/contract/core/route.ts';
import { contract } from '../../shared/contract/index.ts';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { startTestCloud, type TestCloud } from '../fixtures/test-cloud.ts';
import { Prometheus } from '../platform/prometheus.ts';
import { partCount } from '../telemetry/tenant-parts.ts';

interface Family {
  type: string;
  /** The values seen for each label. */
  labels: Map<string, Set<string>>;
}

interface Selector {
  family: string;
  /** Function that has it as its argument, if any. */
  within: string;
  matchers: [label: string, operator: string, value: string][];
}

interface Panel {
  title: string;
  targets?: { expr: string; legendFormat: string }[];
}

const deploy = (file: string) => readFileSync(join(import.meta.dirname, '../../deploy', file), 'utf8');
const { groups } = parse(deploy('prometheus/alerts.yaml')) as {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(deploy('grafana/glasshouse.json')) as { panels: Panel[]; templating: { list: { query: unknown }[] } };
const targets = dashboard.panels.flatMap(({ title, targets: all = [] }) => all.map((target) => ({ title, ...target })));

/** Added by Prometheus to every series of a target. */
const targetLabels = ['job', 'instance'];
/** What a gateway without ClickHouse does not show. */
const onlyOfFleet: Record<string, string> = { outbox: 'journal', kind: 'journal' };
const operators = new Set(['and', 'or', 'unless', 'bool', 'offset', 'by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);

const families = new Map<string, Family>();
const prometheus = new Prometheus();
let cloud: TestCloud;
let server: Awaited<ReturnType<Prometheus['listen']>>;

beforeAll(async () => {
  server = await prometheus.listen('127.0.0.1', 0);
  cloud = await startTestCloud({ observers: [prometheus] });
  await cloud.ingest(cloud.tenant, aRequest([aSpan({})]));
  const scrape = async () => (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  let text = '';
  // The lease of alerts is claimed after the start.
  while (!text.includes('glasshouse_leases_held{kind="alerts"} 1')) {
    await sleep(50);
    text = await scrape();
  }
  readExposition(text);
});
afterAll(async () => {
  await cloud?.stop();
  await server?.close();
});

function readExposition(text: string): void {
  families.set('up', { type: 'gauge', labels: new Map() });
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) families.set(name, { type, labels: new Map() });
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)\{(.*)\} \S+$/gm)) {
    const family = familyOf(name);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g))
      family?.labels.set(label, (family.labels.get(label) ?? new Set()).add(value));
  }
}

const familyOf = (name: string): Family | undefined => families.get(name) ?? families.get(name.replace(/_(?:bucket|sum|count)$/, ''));

const matchersOf = (text: string): Selector['matchers'] =>
  [...text.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', operator = '', value = '']) => [label, operator, value]);

/** The selectors of a PromQL expression. */
function selectorsOf(expr: string): Selector[] {
  const withoutGroups = expr.replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, ' ').replace(/\[[^\]]*\]/g, ' ');
  const found = withoutGroups.matchAll(/(?:(\w+)\()?\b([a-z_]\w*)\b(?!\s*\()(?:\{([^}]*)\})?/g);
  return [...found]
    .map(([, within = '', family = '', matchers = '']) => ({ family, within, matchers: matchersOf(matchers) }))
    .filter(({ family }) => !operators.has(family));
}

const groupLabelsOf = (expr: string) =>
  [...expr.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)]
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
    .filter(Boolean);

/** Values that a label can have. */
function valuesOf(family: Family, label: string): Set<string> {
  if (label === 'code') return new Set(Object.keys(errorStatus));
  if (label === 'route')
    return new Set(Object.values(contract).flatMap((group) => Object.values(group as Record<string, Route>).map(({ id }) => id)));
  return new Set([...(family.labels.get(label) ?? []), onlyOfFleet[label] ?? '']);
}

/** What an expression names that does not exist. */
function problemsOf(expr: string): string[] {
  const selectors = selectorsOf(expr);
  if (selectors.length === 0) return ['names no metric'];
  const problems = selectors.flatMap(({ family: name, within, matchers }) => {
    const family = familyOf(name);
    if (!family) return [`${name} does not exist`];
    if (/^(?:rate|increase)$/.test(within) !== /^(?:counter|histogram)$/.test(family.type)) return [`${name} is a ${family.type}`];
    return matchers.flatMap(([label, , value]) => {
      if (targetLabels.includes(label)) return [];
      if (!family.labels.has(label)) return [`${name} has no label ${label}`];
      const known = valuesOf(family, label);
      return value.includes('.') ? [] : value.split('|').flatMap((one) => (known.has(one) ? [] : [`${label} is never ${one}`]));
    });
  });
  const labels = new Set([...targetLabels, ...selectors.flatMap(({ family }) => [...(familyOf(family)?.labels.keys() ?? [])])]);
  return [...problems, ...groupLabelsOf(expr).flatMap((label) => (labels.has(label) ? [] : [`no series has the label ${label}`]))];
}

/** Labels that are left in the result. */
function resultLabels(expr: string): Set<string> {
  const groups = groupLabelsOf(expr);
  const isAggregated = /\b(?:sum|min|max)\b/.test(expr);
  const own = selectorsOf(expr).flatMap(({ family }) => [...(familyOf(family)?.labels.keys() ?? [])]);
  return new Set(isAggregated ? groups : [...targetLabels, ...own]);
}

describe('alert rules', () => {
  it('have names of their own, and a summary', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, annotations } of rules) expect(annotations['summary'], alert).toMatch(/\.$|\?$/);
  });

  it('name what the gateway exports', () => {
    const problems = rules.flatMap(({ alert, expr }) => problemsOf(expr).map((problem) => `${alert}: ${problem}`));
    expect(problems).toEqual([]);
  });

  it('tell with labels that their result has', () => {
    for (const { alert, expr, annotations } of rules) {
      const used = [...(annotations['summary'] ?? '').matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label as string);
      for (const label of used) expect(resultLabels(expr), alert).toContain(label);
    }
  });

  it('expect as many leases of the journal as it has parts', () => {
    expect(rules.find(({ alert }) => alert === 'GlasshouseJournalNotOwned')?.expr).toMatch(new RegExp(`< ${partCount}$`));
  });
});

describe('the dashboard', () => {
  it('names what the gateway exports', () => {
    const problems = targets.flatMap(({ title, expr }) => problemsOf(expr).map((problem) => `${title}: ${problem}`));
    expect(problems).toEqual([]);
    expect(targets.length).toBeGreaterThan(20);
  });

  it('has legends with labels that are left', () => {
    for (const { title, expr, legendFormat } of targets)
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(resultLabels(expr), title).toContain(label);
  });

  it('shows every family of the gateway, except those that say the same in another way', () => {
    const shown = new Set(targets.flatMap(({ expr }) => selectorsOf(expr).map(({ family }) => family.replace(/_bucket$/, ''))));
    const own = [...families.keys()].filter((name) => name.startsWith('glasshouse_'));
    const untold = ['glasshouse_build_info', 'glasshouse_gateway_info', 'glasshouse_ingest_queue_requests', 'glasshouse_disk_size_bytes'];
    expect(own.filter((name) => !shown.has(name)).sort()).toEqual(untold.sort());
    expect(JSON.stringify(dashboard.templating)).toContain('label_values(glasshouse_gateway_info, instance)');
  });
});

it('finds what does not exist', () => {
  expect(problemsOf('rate(glasshouse_nothing_total[5m])')).toEqual(['glasshouse_nothing_total does not exist']);
  expect(problemsOf('sum by (team) (glasshouse_in_flight{pool="ingest"})')).toEqual(['no series has the label team']);
  expect(problemsOf('glasshouse_in_flight{team="a"}')).toEqual(['glasshouse_in_flight has no label team']);
  expect(problemsOf('increase(glasshouse_errors_total{code=~"internal_error|oops"}[5m]) > 0')).toEqual(['code is never oops']);
  expect(problemsOf('rate(glasshouse_in_flight[5m])')).toEqual(['glasshouse_in_flight is a gauge']);
  expect(problemsOf('glasshouse_errors_total > 5')).toEqual(['glasshouse_errors_total is a counter']);
});
