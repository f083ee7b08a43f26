#!/usr/bin/env node
import './right-node.js'
import nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

// The command line: `npx tributary --help`. Plain JavaScript, so that an old Node can report that it cannot run the rest.

// a start chooses the folder itself
if (process.argv[2] !== 'start')
  nodeModule.enableCompileCache(fileURLToPath(new URL('../.cache/compiled', import.meta.url)))
await import('./commands/run.ts')
