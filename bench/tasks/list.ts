import { againstBaseline, editedPrompt, filterAndShare, toolWithArgument, twoRuns, wholeSession } from './above-one-trace.ts';
import { codingAgent, datasetAndScore, keepAndDelete, keysAlone } from './keep-and-share.ts';
import { failingRun, firstTrace, largeTrace, liveTail, mostExpensiveStep, severalAgents } from './read-a-trace.ts';
import type { Task } from './task.ts';

/** In the order of their numbers, from 1. */
export const tasks: readonly Task[] = [
  firstTrace,
  failingRun,
  severalAgents,
  mostExpensiveStep,
  twoRuns,
  toolWithArgument,
  filterAndShare,
  wholeSession,
  datasetAndScore,
  againstBaseline,
  editedPrompt,
  largeTrace,
  liveTail,
  keysAlone,
  keepAndDelete,
  codingAgent,
];
