import { type MappedField, mappedFields } from '#contract/incoming-webhooks.ts'
import { type Json, leavesOf, plainPath, textOf, valueAt } from '#contract/payload-paths.ts'
import { text } from '#contract/values.ts'
import { HIDDEN } from '../../platform/redact.ts'
import type { IncomingWebhookRow } from './queries.ts'
import { type MappedValues, readFields, transformed } from './transform.ts'

/** The fields of a payload, as read by a mapping. */
export type Mapped = MappedValues & {
  /** The value that names the partner; null without one. */
  partner: string | null
  /** Single values that no field uses. */
  rest: Record<string, string>
}

type Mapping = Pick<IncomingWebhookRow, 'mapping' | 'partnerMatch'>

const MOST_REST = 50
const REST_KEY = 100
const REST_VALUE = 1000
/** The limits of metadata: a value that no field uses must not refuse those that are used. */
const [RestKey, RestValue] = [text(REST_KEY), text(REST_VALUE)]

export function mapped(payload: Json, { mapping, partnerMatch }: Mapping, currency: string, timeZone: string): Mapped {
  const fields = readFields(
    mapping,
    currency,
    (field) => textFor(payload, field),
    (text, { transform }, used) => transformed(text, transform, used, timeZone),
  )
  const partner = partnerMatch && textOf(valueAt(payload, partnerMatch.path))?.trim()
  return { ...fields, partner: partner || null, rest: restOf(payload, { mapping, partnerMatch }) }
}

const textFor = (payload: Json, field: MappedField): string | null => {
  const path = pathOf(field)
  const text = path ? textOf(valueAt(payload, path)) : null
  // was hidden before the mapping used it
  return (text === HIDDEN ? null : text) ?? field.default ?? null
}

type Reading = Mapping & Pick<IncomingWebhookRow, 'dedupePath' | 'filters'>

/** Returns the paths of the payload's values that a webhook reads. */
export function readBy({ mapping, partnerMatch, dedupePath, filters }: Reading, payload: Json): Set<string> {
  const paths = [...mapping.map(pathOf), partnerMatch?.path, dedupePath, ...filters.map(({ path }) => path)]
  return new Set(paths.flatMap((path) => (path && plainPath(payload, path)) || []))
}

/** A constant reads nothing, whatever its path. */
const pathOf = ({ path, transform }: MappedField) => (transform === 'constant' ? null : path)

function restOf(payload: Json, { mapping, partnerMatch }: Mapping) {
  const read = readBy({ mapping, partnerMatch, dedupePath: null, filters: [] }, payload)
  const rest: [string, string][] = []
  for (const { path, value } of leavesOf(payload)) {
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
