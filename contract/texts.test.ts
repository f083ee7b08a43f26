import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { costlyTexts } from '../test/support/hostile.ts'
import { NewPushedClick } from './clicks.ts'
import { EmbeddedClick, EmbeddedLead, KeptReference, ReportedEmbedCheck } from './embed.ts'
import { endpoints } from './index.ts'
import { NewPushedLead } from './leads.ts'
import { NewPushedRefund, NewPushedSale } from './sales.ts'

// One process reads texts from strangers for all accounts, so each text has a limit, checked before any work whose cost
// grows with the square of its length.

/** Every input from outside with its maximum bytes. */
const taken: [string, z.ZodType, number][] = [
  ...endpoints.flatMap(({ name, params, query, body, maxBytes = 256_000 }): [string, z.ZodType, number][] => [
    ...(params ? [[`path of ${name}`, params, 8000] as [string, z.ZodType, number]] : []),
    ...(query ? [[`query of ${name}`, query, 8000] as [string, z.ZodType, number]] : []),
    ...(body ? [[name, body, maxBytes] as [string, z.ZodType, number]] : []),
  ]),
  ['a pushed lead', NewPushedLead, 1_000_000],
  ['a pushed sale', NewPushedSale, 1_000_000],
  ['a pushed refund', NewPushedRefund, 1_000_000],
  ['a pushed click', NewPushedClick, 1_000_000],
  ['a lead of the script', EmbeddedLead, 16_000],
  ['a click of the script', EmbeddedClick, 16_000],
  ['what the script keeps', KeptReference, 16_000],
  ['a check of the script', ReportedEmbedCheck, 16_000],
]

/** Returns the parts of a schema with the names of its fields. */
function partsOf(schema: z.core.$ZodType): [string, z.core.$ZodType][] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).map(([key, inner]) => [`.${key}`, inner])
    case 'array':
      return [['[]', def.element]]
    case 'record':
      return [
        ['{key}', def.keyType],
        ['{}', def.valueType],
      ]
    case 'union':
      return def.options.map((option) => ['', option])
    case 'pipe':
      return [['', def.in]]
    default:
      return 'innerType' in def ? [['', def.innerType]] : []
  }
}

function textsIn(schema: z.core.$ZodType, path: string): [string, number | null][] {
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return [[path, schema.maxLength]]
  const inside = partsOf(schema).flatMap(([name, inner]) => textsIn(inner, path + name))
  const { def } = (schema as z.core.$ZodTypes)._zod
  // a text that is only trimmed has the limit of the schema it is piped to
  if (def.type !== 'pipe' || inside.every(([, most]) => most !== null)) return inside
  const handedTo = textsIn(def.out, path)
  return handedTo.length > 0 ? handedTo : inside
}

test('every accepted text has a maximum length', () => {
  const endless = taken.flatMap(([name, schema]) =>
    textsIn(schema, name)
      .filter(([, most]) => most === null)
      .map(([path]) => path),
  )
  // any JSON, limited by the bytes of the whole object
  assert.deepEqual(endless.sort(), [
    'addPasskey.credential.clientExtensionResults{key}',
    'changeMe.preferences{key}',
    'confirmPassword.passkey.clientExtensionResults{key}',
    'signInByPasskey.credential.clientExtensionResults{key}',
    'testIncomingWebhook.payload{key}',
  ])
})

/** Builds values with this text in every place for one; a union yields a value per branch. */
function filled(schema: z.core.$ZodType, text: string): unknown[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'string') return [text]
  if (def.type === 'literal' || def.type === 'enum')
    return [def.type === 'enum' ? Object.values(def.entries)[0] : def.values[0]]
  if (def.type === 'unknown') return [text, { [text]: [text] }]
  if (def.type === 'union') return def.options.flatMap((option) => filled(option, text))
  const parts = partsOf(schema)
  if (def.type === 'record') return filled(parts[1]![1], text).map((value) => ({ [text]: value }))
  if (def.type === 'array') return filled(parts[0]![1], text).map((value) => [value])
  if (def.type !== 'object') return parts.length > 0 ? filled(parts[0]![1], text) : [1]
  const fields = parts.map(([name, inner]) => [name.slice(1), filled(inner, text)] as const)
  const most = Math.max(1, ...fields.map(([, values]) => values.length))
  return Array.from({ length: most }, (_, turn) =>
    Object.fromEntries(fields.map(([name, values]) => [name, values[turn % values.length]])),
  )
}

/** Returns the milliseconds of this thread for the job: the best of a few runs, since other processes run too. */
function workOf(job: () => unknown) {
  let best = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 3 && best > MOST_MS; turn++) {
    const before = process.threadCpuUsage()
    job()
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

/** Milliseconds allowed: scanning 100,000 characters a few times takes about one; quadratic work takes seconds. */
const MOST_MS = 40
const CHARACTERS_A_MS = 10_000

test('no text takes long to refuse or accept, in any field', () => {
  const slow: string[] = []
  for (const [name, schema, bytes] of taken) {
    const lengths = new Set([100_000, ...textsIn(schema, name).map(([, most]) => Math.min(most ?? bytes, bytes))])
    for (const length of lengths)
      for (const [what, text] of Object.entries(costlyTexts(length)))
        for (const value of filled(schema, text)) {
          const ms = workOf(() => schema.safeParse(value))
          if (ms > MOST_MS + length / CHARACTERS_A_MS)
            slow.push(`${name}: ${length} of ${what} take ${Math.round(ms)} ms`)
        }
  }
  assert.deepEqual(slow, [])
})
