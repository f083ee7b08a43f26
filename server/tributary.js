#!/usr/bin/env node
import './right-node.js'
import nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

// The command line: `npx tributary --help`. Plain JavaScript, so that a Node that cannot read the rest can say so.

// a start chooses where itself
if (process.argv[2] !== 'start')
  nodeModule.enableCompileCache(fileURLToPath(new URL('../.cache/compiled', import.meta.url)))
await import('./commands/run.ts')
