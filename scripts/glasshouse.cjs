#!/usr/bin/env node
/* The `glasshouse` command (package.json "bin"): reports an old Node before it fails on our sources. */
'use strict';

require('./require-node.cjs');
require('./from-sources.cjs');
void import('../server/cli/glasshouse.ts');
