#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// The command line: `npx tributary --help`. Plain JavaScript, so that a Node that cannot read the rest can say so.

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [least] = engines.node.match(/\d+\.\d+/)
const [major, minor] = least.split('.').map(Number)
const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  process.stderr.write(
    `Tributary needs Node ${least} or newer, and this is ${process.versions.node}. In its folder, npx tributary takes the one that npm ci has installed.\n`,
  )
  process.exit(1)
}

// a start chooses where itself
if (process.argv[2] !== 'start') enableCompileCache(fileURLToPath(new URL('../.cache/compiled', import.meta.url)))
await import('./commands/run.ts')
