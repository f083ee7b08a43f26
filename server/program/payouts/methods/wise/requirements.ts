import { runInNewContext } from 'node:vm'
import type { PayoutField } from '#contract/payout-form.ts'
import { DateOnly } from '#contract/values.ts'
import type { AskedField, AskedSet, MethodRefusal } from '../method.ts'

/** Wise's requirements are not a form that we can show. */
export class NoForm extends Error {}

const MOST_TYPES = 20
const MOST_FIELDS = 40
const MOST_OPTIONS = 300
const LONGEST_LABEL = 100
const LONGEST_VALUE = 200
const LONGEST_PATTERN = 2000

/** Wise mails the recipient of this type a link at which they enter their account, at each payment. */
const ENTERED_AT_WISE = 'email'

type RequirementJson = { [name: string]: unknown }

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const isObject = (value: unknown): value is RequirementJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns Wise's words as one line of plain text. */
const plain = (value: unknown) =>
  [...text(value).replace(/\p{C}/gu, ' ').replace(/\s+/g, ' ').trim()].slice(0, LONGEST_LABEL).join('')

function objects(value: unknown, most: number): RequirementJson[] {
  if (!Array.isArray(value) || value.length > most || !value.every(isObject)) throw new NoForm()
  return value
}

/**
 * Returns Wise's requirements as sets of fields, one for each type of account; a type that we cannot show is left out.
 * Throws `NoForm` if none is left.
 */
export function toFieldSets(answer: unknown): AskedSet[] {
  const sets = objects(answer, MOST_TYPES).flatMap((json) => {
    try {
      return text(json.type) === ENTERED_AT_WISE ? [] : [fieldSet(json)]
    } catch (error) {
      if (!(error instanceof NoForm)) throw error
      return []
    }
  })
  if (sets.length === 0 || new Set(sets.map(({ type }) => type)).size < sets.length) throw new NoForm()
  return sets
}

function fieldSet(json: RequirementJson): AskedSet {
  const type = text(json.type)
  if (!/^[\w-]{1,50}$/.test(type)) throw new NoForm()
  const groups = objects(json.fields, MOST_FIELDS).flatMap(({ group }) => objects(group, MOST_FIELDS))
  if (groups.length === 0 || groups.length > MOST_FIELDS) throw new NoForm()
  const fields = groups.map(fieldOf)
  const keys = fields.map(({ key }) => key)
  // a value cannot be an object as well
  const clashes = keys.some((key) => keys.some((other) => other.startsWith(`${key}.`)))
  if (clashes || new Set(keys).size < keys.length) throw new NoForm()
  // options that depend on another field come with its value
  const isStuck = fields.some(({ input, required, options }) => input === 'select' && required && options.length === 0)
  if (isStuck && !fields.some(({ refresh }) => refresh)) throw new NoForm()
  return { type, title: plain(json.title) || type, fields }
}

/** Names of Wise's fields: words joined by dots, which make objects. */
const isName = (key: string) =>
  key.length <= 100 &&
  /^[a-z]\w*(\.[a-z]\w*){0,4}$/i.test(key) &&
  key.split('.').every((word) => !(word in Object.prototype))
const inputs = new Map<string, PayoutField['input']>([
  ['text', 'text'],
  ['select', 'select'],
  ['radio', 'select'],
  ['date', 'date'],
])

function fieldOf(json: RequirementJson): AskedField {
  const key = text(json.key)
  const input = inputs.get(text(json.type))
  const pattern = text(json.validationRegexp)
  if (!isName(key) || !input || pattern.length > LONGEST_PATTERN) throw new NoForm()
  const example = plain(json.example)
  return {
    key,
    label: plain(json.name) || key,
    input,
    required: json.required === true,
    minLength: length(json.minLength),
    maxLength: length(json.maxLength),
    example: input === 'text' && example ? example : null,
    options: input === 'select' ? optionsOf(json.valuesAllowed ?? []) : [],
    refresh: json.refreshRequirementsOnChange === true,
    pattern: pattern || null,
  }
}

function optionsOf(json: unknown): PayoutField['options'] {
  const options = new Map<string, string>()
  for (const { key, name } of objects(json, MOST_OPTIONS)) {
    const value = text(key)
    if (typeof key !== 'string' || value.length > LONGEST_VALUE) throw new NoForm()
    // Wise's first option may be an invitation to choose
    if (value && !options.has(value)) options.set(value, plain(name) || value)
  }
  return [...options].map(([value, label]) => ({ value, label }))
}

const length = (json: unknown) => (/^\d{1,6}$/.test(String(json)) ? Number(json) : null)

/** Returns what is wrong with these values, by the name of the field. */
export function wrongValues(
  required: AskedField[],
  json: (key: string) => string | undefined,
): Record<string, MethodRefusal> {
  const patterns = patternsOf()
  const wrong = required.flatMap((field): [string, MethodRefusal][] => {
    const value = json(field.key) ?? ''
    const values = { name: field.label }
    if (value === '') return field.required ? [[field.key, { wrong: 'wise_field_missing', values }]] : []
    return fits(field, value) && patterns.accept(field.pattern, value)
      ? []
      : [[field.key, { wrong: 'wise_field_refused', values }]]
  })
  return Object.fromEntries(wrong)
}

function fits({ input, minLength, maxLength, options }: AskedField, value: string): boolean {
  if (input === 'select') return options.some((option) => option.value === value)
  if (input === 'date') return DateOnly.safeParse(value).success
  return value.length >= (minLength ?? 0) && value.length <= (maxLength ?? value.length)
}

/** Longest run of an external pattern, in milliseconds: longer means that it may never end. */
const LONGEST_RUN = 50

/** Runs Wise's patterns. One that does not end, and all after it, count as met: Wise checks again. */
function patternsOf() {
  let isOver = false
  return {
    accept(pattern: string | null, value: string): boolean {
      if (!pattern || isOver) return true
      try {
        return Boolean(runInNewContext('new RegExp(pattern).test(value)', { pattern, value }, { timeout: LONGEST_RUN }))
      } catch (error) {
        isOver = (error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
        return true
      }
    },
  }
}
