/**
 * Pages by group, each with its key after `g`, and with other words by which people look for it in the command palette. A page with a capability key exists only where the gateway serves it, and a group only with one of
 * its pages.
 */
import {
  ArrowDownToLine,
  Bell,
  Bot,
  ChartColumn,
  ClipboardCheck,
  CloudUpload,
  Database,
  FlaskConical,
  Inbox,
  Layers,
  ListChecks,
  ListTree,
  PlugZap,
  Repeat,
  Rocket,
  ScrollText,
  Settings,
  Star,
  Table2,
  Wallet,
} from 'lucide-react';
import { useServed } from '../api/served.ts';

export const pageGroups = ['Observe', 'Evaluate', 'Prompts', 'Agents', 'Operate'] as const;

/** A page without a group is at the foot of the sidebar. */
const allPages = [
  {
    to: '/dashboard',
    label: 'Dashboard',
    letter: 'd',
    icon: ChartColumn,
    group: 'Observe',
    words: 'overview charts metrics statistics analytics cost latency tokens home',
  },
  { to: '/traces', label: 'Traces', letter: 't', icon: ListTree, group: 'Observe', words: 'runs requests calls search list spans logs' },
  { to: '/sessions', label: 'Sessions', letter: 's', icon: Layers, group: 'Observe', words: 'conversations threads chats users dialogues' },
  {
    to: '/spending',
    label: 'Spending',
    letter: 'm',
    icon: Wallet,
    group: 'Observe',
    needs: 'spending',
    words: 'money cost budget projects usage price plan limits tokens cache savings',
  },
  {
    to: '/scores',
    label: 'Scores',
    letter: 'c',
    icon: Star,
    group: 'Evaluate',
    words: 'feedback ratings evaluations judge quality thumbs',
  },
  {
    to: '/queues',
    label: 'Queues',
    letter: 'q',
    icon: ListChecks,
    group: 'Evaluate',
    needs: 'annotation_queues',
    words: 'annotation review labelling human feedback inbox',
  },
  {
    to: '/datasets',
    label: 'Datasets',
    letter: 'a',
    icon: Table2,
    group: 'Evaluate',
    words: 'test cases examples rows golden import jsonl',
  },
  {
    to: '/experiments',
    label: 'Experiments',
    letter: 'e',
    icon: FlaskConical,
    group: 'Evaluate',
    words: 'compare baseline regression benchmark tests',
  },
  {
    to: '/evals',
    label: 'Eval runs',
    letter: 'v',
    icon: ClipboardCheck,
    group: 'Evaluate',
    needs: 'viewer_evals',
    words: 'evaluations evaluators trials benchmark ci',
  },
  { to: '/prompts', label: 'Prompts', letter: 'p', icon: ScrollText, group: 'Prompts', words: 'templates versions files agentmark mdx' },
  {
    to: '/workers',
    label: 'Coding agents',
    letter: 'w',
    icon: Bot,
    group: 'Agents',
    needs: 'workers',
    words: 'claude code codex workspaces sandbox tasks',
  },
  {
    to: '/alerts',
    label: 'Alerts',
    letter: 'l',
    icon: Bell,
    group: 'Operate',
    needs: 'alerts',
    words: 'alarms notifications monitors thresholds',
  },
  {
    to: '/runaways',
    label: 'Runaways',
    letter: 'r',
    icon: Repeat,
    group: 'Operate',
    needs: 'runaways',
    words: 'guard loops stuck repeated budget cost limit thresholds stop program',
  },
  {
    to: '/deployments',
    label: 'Deployments',
    letter: 'y',
    icon: Rocket,
    group: 'Operate',
    needs: 'deployments',
    words: 'releases versions promotions rollback history',
  },
  {
    to: '/ingest-log',
    label: 'Ingest log',
    letter: 'i',
    icon: ArrowDownToLine,
    group: 'Operate',
    words: 'requests rejected errors incoming otlp exporter debug',
  },
  {
    to: '/storage',
    label: 'Storage',
    letter: 'o',
    icon: Database,
    group: 'Operate',
    needs: 'viewer_storage',
    words: 'disk database size retention compact quarantine backup',
  },
  {
    to: '/forwarding',
    label: 'Cloud',
    letter: 'f',
    icon: CloudUpload,
    group: 'Operate',
    needs: 'forwarding',
    words: 'forward destinations outbox send upload share team dead letters',
  },
  {
    to: '/inbox',
    label: 'Inbox',
    letter: 'n',
    icon: Inbox,
    needs: 'notices',
    words: 'notices notifications mentions replies comments unread bell',
  },
  {
    to: '/setup',
    label: 'Set up',
    letter: 'u',
    icon: PlugZap,
    words: 'install instrument sdk connect onboarding start framework exporter endpoint integrations',
  },
  { to: '/settings', label: 'Settings', letter: ',', icon: Settings, needs: 'auth', words: 'preferences configuration options' },
] as const;

export type Page = (typeof allPages)[number];

export function usePages(): readonly Page[] {
  const isServed = useServed();
  return allPages.filter((page) => !('needs' in page) || isServed(page.needs));
}
