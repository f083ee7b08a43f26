import type { Json } from '#contract/payload-paths.ts'
import { checkShape } from '../../platform/http/body-shape.ts'
import { refusal } from '../../platform/refusal.ts'

/** JSON in form fields, such as Jotform's `rawRequest`, is parsed too. */
const MOST_FIELDS = 1000
const MOST_VALUES = 5000

/**
 * Parses a body by its content, whatever its content type says: JSON, a form, or a form in parts.
 * Refuses: text that is not UTF-8, any other format, and more levels or values than a payload may have.
 */
export async function readBody(raw: Buffer, contentType: string): Promise<Json> {
  if (/^multipart\/form-data/i.test(contentType)) return formOf(await parts(raw, contentType))
  const text = decoded(raw).trim()
  if (/^[[{]/.test(text)) return json(raw, text)
  if (/^[^\s=&]+=/.test(text) || text.includes('&')) return formOf(new URLSearchParams(text))
  throw refusal('incoming_body_unreadable')
}

function decoded(raw: Buffer) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw)
  } catch {
    throw refusal('incoming_body_not_unicode')
  }
}

function json(raw: Buffer, text: string): Json {
  checkShape(raw, MOST_VALUES)
  try {
    return parsed(text)
  } catch {
    throw refusal('incoming_body_unreadable')
  }
}

/** Parses JSON. A whole number with more digits than JavaScript keeps, such as an id, becomes text. */
const parsed = (text: string): Json =>
  JSON.parse(text, (_key, value, context?: { source?: string }) => {
    const source = context?.source ?? ''
    return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value
  })

async function parts(raw: Buffer, contentType: string): Promise<Iterable<[string, string]>> {
  try {
    const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': contentType } }).formData()
    return [...form.entries()].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  } catch {
    throw refusal('incoming_body_unreadable')
  }
}

/** Parses `fields[email][value]=…` into nested objects; a repeated name makes a list. */
function formOf(entries: Iterable<[string, string]>): Json {
  const form: { [key: string]: Json } = Object.create(null)
  let count = 0
  for (const [name, text] of entries) {
    if (++count > MOST_FIELDS) throw refusal('too_many_values', { max: MOST_FIELDS })
    put(form, keysOf(name), inner(text))
  }
  const whole = JSON.stringify(form)
  checkShape(Buffer.from(whole), MOST_VALUES)
  return JSON.parse(whole)
}

const keysOf = (name: string) => {
  const [, first, rest] = /^([^[]+)((?:\[[^\][]{0,100}\]){1,10})$/.exec(name) ?? []
  return first ? [first, ...rest!.slice(1, -1).split('][')] : [name]
}

function put(form: { [key: string]: Json }, keys: string[], value: Json) {
  let place = form
  for (const key of keys.slice(0, -1)) {
    const next = place[key]
    const isObject = next !== null && typeof next === 'object' && !Array.isArray(next)
    const inner: { [key: string]: Json } = isObject ? next : Object.create(null)
    place[key] = inner
    place = inner
  }
  const last = keys.at(-1)!
  const before = place[last]
  place[last] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]
}

function inner(text: string): Json {
  if (!/^\s*\{/.test(text)) return text
  checkShape(Buffer.from(text), MOST_VALUES)
  try {
    return parsed(text)
  } catch {
    return text
  }
}
