import './app/zod-without-eval.ts';
import { start } from './app/start.tsx';
import './ui/base.css';

start();
