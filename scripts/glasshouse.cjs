#!/usr/bin/env node
/* The `glasshouse` command (package.json "bin"): says what is wrong with an old Node before one meets our sources. */
'use strict';

require('./require-node.cjs');
require('./from-sources.cjs');
void import('../server/cli/glasshouse.ts');
