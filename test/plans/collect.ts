import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import {
  type Collected,
  clocks,
  folderOfStatements,
  type Statement,
  testFiles,
  type Value,
  writtenIn,
} from './statement.ts'
import { TESTS } from './tests.ts'

// Preloaded by `--import` into a lane: while it runs one of `TESTS`, records each text that the product sends once, with
// its values and their time. They are written into a file of the process when it ends.

/** Samples per text, as its values differ: with a filter and without, for one row and for many. */
const MOST_SAMPLES = 3

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = process.env[folderOfStatements]
const seen = new Map<string, Statement | null>()
const tests = new Set<string>()
let isCollecting = false
subscribe(testFiles, (file) => {
  isCollecting = TESTS.includes(file as string)
  if (isCollecting) tests.add(file as string)
})
let clock = { now: () => new Date() }
subscribe(clocks, (made) => {
  clock = made as typeof clock
})

type Query = { text?: unknown; name?: unknown; values?: unknown[] } | string

// the pool calls a client once one is free, when the stack no longer shows the pool's caller
for (const { prototype } of [pg.Client, pg.Pool] as { prototype: { query: (...given: never[]) => unknown } }[]) {
  const { query } = prototype
  prototype.query = function (...given: unknown[]) {
    const [config, separate] = given as [Query, unknown[]?]
    const { text, name, values } = typeof config === 'string' ? { text: config } : (config ?? {})
    if (isCollecting && typeof text === 'string') saveStatement(text, name !== undefined, values ?? separate ?? [])
    return Reflect.apply(query, this, given)
  }
}

function saveStatement(text: string, isNamed: boolean, values: unknown[]) {
  if (!/^\s*(select|insert|update|delete|with|merge)\b/i.test(text)) return
  let statement = seen.get(text)
  if (statement === undefined) {
    const from = placeOf()
    statement = from === undefined ? null : { text, from, isNamed, samples: [] }
    seen.set(text, statement)
  }
  if (statement && statement.samples.length < MOST_SAMPLES)
    statement.samples.push({ at: clock.now().toISOString(), values: values.map(asSent) })
}

/** Returns the product's file in which the statement is written; undefined for one that only a test sends. */
function placeOf() {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 40
  const { stack = '' } = new Error()
  Error.stackTraceLimit = limit
  return writtenIn(stack, root)
}

/** Converts a value as the driver does: bytes as they are, anything else to text. */
const asSent = (value: unknown): Value => (Buffer.isBuffer(value) ? { bytes: value.toString('hex') } : asText(value))

function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value))
    return `{${value.map((one) => (one === null ? 'NULL' : JSON.stringify(asText(one)))).join()}}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

if (folder)
  process.on('exit', () => {
    if (tests.size === 0) return
    const statements = [...seen.values()].filter((one) => one !== null)
    const collected: Collected = { tests: [...tests], statements }
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(collected))
  })
