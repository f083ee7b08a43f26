import { type MappedField, mappedFields } from '#contract/incoming-webhooks.ts'
import {
  isWrittenNull,
  type Json,
  keysAt,
  listLeaves,
  type Source,
  sameText,
  toText,
  valueIn,
  valuesIn,
  writtenPath,
} from '#contract/payload-paths.ts'
import { plainText } from '#contract/values.ts'
import { HIDDEN } from '../../platform/redact.ts'
import type { IncomingWebhookRow } from './queries.ts'
import { keysRead, type Rule, type StoredRules, toRules } from './rules.ts'
import { fitsBothOrders, type MappedValues, readFields, transformText } from './transform.ts'

/** The fields of a payload, or of one item of it, as read by a rule. */
export type MappedFields = MappedValues & {
  /** The value that names the partner; null without one. */
  partner: string | null
  /** Single values that no field uses. */
  rest: Record<string, string>
}

type Mapping = Pick<Rule, 'mapping' | 'partnerMatch'>

const MOST_REST = 50
const REST_KEY = 100
const REST_VALUE = 1000
/** The limits of metadata: a value that no field uses must not refuse those that are used. */
const [RestKey, RestValue] = [plainText(REST_KEY), plainText(REST_VALUE)]

export function mapFields(source: Source, rule: Mapping, currency: string, timeZone: string): MappedFields {
  const { mapping, partnerMatch } = rule
  const fields = readFields(
    mapping,
    currency,
    (field) => textFor(source, field),
    (text, field, used) =>
      amountsFor(source, field)
        ?.map((one) => Number(transformText(one, field.transform, used)))
        .reduce((sum, one) => sum + one, 0) ?? transformText(text, field.transform, used, timeZone),
  )
  const partner = partnerMatch && toText(valueIn(source, partnerMatch.path))?.trim()
  return { ...fields, partner: partner || null, rest: restOf(source.item, rule) }
}

/** Returns a warning for each date that may be read in two ways. */
export const unclearDays = (source: Source, { mapping }: Mapping): string[] =>
  mapping.flatMap((field) => {
    const text = field.transform === 'date' ? textFor(source, field) : null
    if (!text || !fitsBothOrders(text)) return []
    return [`"${text.slice(0, 60)}" is read month first. If the day is first, choose “Date, day first”.`]
  })

/** Amounts of which a bill may list several; of a total the first one is read. */
const LISTED = ['taxAmount', 'shippingAmount']

/** Returns the amounts that are added up; undefined if there is but one. */
function amountsFor(source: Source, { field, path, transform }: MappedField): string[] | undefined {
  if (!path || !LISTED.includes(field) || !(transform === 'cents' || transform === 'number')) return undefined
  const texts = valuesIn(source, path).flatMap((value) => toText(value) ?? [])
  return texts.length > 1 ? texts : undefined
}

const textFor = (source: Source, { path, transform, default: fallback, values }: MappedField): string | null => {
  const text = path && transform !== 'constant' ? toText(valueIn(source, path)) : null
  // was hidden before the mapping used it
  const mappedText = (text === HIDDEN || isWrittenNull(text) ? null : text) ?? fallback ?? null
  return mappedText === null ? null : (replacementOf(mappedText, values) ?? mappedText)
}

const replacementOf = (text: string, values: MappedField['values']) =>
  values && Object.entries(values).find(([from]) => sameText(from, text))?.[1]

type Reading = StoredRules & Pick<IncomingWebhookRow, 'dedupePath'>

/** Returns the paths of the payload's values that a webhook reads. */
export function readBy({ dedupePath, ...stored }: Reading, payload: Json): Set<string> {
  const keys = toRules(stored).flatMap((rule) => keysRead(rule, payload))
  const named = dedupePath && keysAt(payload, dedupePath)
  return new Set([...keys, ...(named ? [named] : [])].map(writtenPath))
}

function restOf(item: Json, { mapping, partnerMatch }: Mapping) {
  const read = new Set(keysRead({ mapping, partnerMatch, each: null, when: [] }, item).map(writtenPath))
  const rest: [string, string][] = []
  for (const { path, value } of listLeaves(item)) {
    if (rest.length === MOST_REST) break
    const key = /^\P{C}+$/u.test(path) && RestKey.safeParse(path).data
    // in the form in which it is stored, which may be longer
    const cut = value.slice(0, REST_VALUE).normalize().slice(0, REST_VALUE).toWellFormed()
    const kept = RestValue.safeParse(cut).data
    if (!read.has(path) && key && kept) rest.push([key, kept])
  }
  return Object.fromEntries(rest)
}

/** Whether a target has a field, for checking a mapping. */
export const hasField = (target: keyof typeof mappedFields, field: string) =>
  (mappedFields[target] as readonly string[]).includes(field)
