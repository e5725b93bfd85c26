/**
 * Pages by group, each with its key after `g`. A page with a capability key exists only where the gateway serves it, and a group only with one of
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
  Layers,
  ListChecks,
  ListTree,
  PlugZap,
  Rocket,
  ScrollText,
  Settings,
  Star,
  Table2,
} from 'lucide-react';
import { useServed } from '../api/served.ts';

export const pageGroups = ['Observe', 'Evaluate', 'Prompts', 'Agents', 'Operate'] as const;

/** A page without a group is at the foot of the sidebar. */
const allPages = [
  { to: '/dashboard', label: 'Dashboard', letter: 'd', icon: ChartColumn, group: 'Observe' },
  { to: '/traces', label: 'Traces', letter: 't', icon: ListTree, group: 'Observe' },
  { to: '/sessions', label: 'Sessions', letter: 's', icon: Layers, group: 'Observe' },
  { to: '/scores', label: 'Scores', letter: 'c', icon: Star, group: 'Evaluate' },
  { to: '/queues', label: 'Queues', letter: 'q', icon: ListChecks, group: 'Evaluate', needs: 'annotation_queues' },
  { to: '/datasets', label: 'Datasets', letter: 'a', icon: Table2, group: 'Evaluate' },
  { to: '/experiments', label: 'Experiments', letter: 'e', icon: FlaskConical, group: 'Evaluate' },
  { to: '/evals', label: 'Eval runs', letter: 'v', icon: ClipboardCheck, group: 'Evaluate', needs: 'viewer_evals' },
  { to: '/prompts', label: 'Prompts', letter: 'p', icon: ScrollText, group: 'Prompts' },
  { to: '/workers', label: 'Coding agents', letter: 'w', icon: Bot, group: 'Agents', needs: 'workers' },
  { to: '/alerts', label: 'Alerts', letter: 'l', icon: Bell, group: 'Operate', needs: 'alerts' },
  { to: '/deployments', label: 'Deployments', letter: 'y', icon: Rocket, group: 'Operate', needs: 'deployments' },
  { to: '/ingest-log', label: 'Ingest log', letter: 'i', icon: ArrowDownToLine, group: 'Operate' },
  { to: '/storage', label: 'Storage', letter: 'o', icon: Database, group: 'Operate', needs: 'viewer_storage' },
  { to: '/forwarding', label: 'Cloud', letter: 'f', icon: CloudUpload, group: 'Operate', needs: 'forwarding' },
  { to: '/setup', label: 'Set up', letter: 'u', icon: PlugZap },
  { to: '/settings', label: 'Settings', letter: ',', icon: Settings, needs: 'auth' },
] as const;

export type Page = (typeof allPages)[number];

export function usePages(): readonly Page[] {
  const isServed = useServed();
  return allPages.filter((page) => !('needs' in page) || isServed(page.needs));
}
