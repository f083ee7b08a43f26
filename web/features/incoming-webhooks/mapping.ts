import {
  type conditionOps,
  type IncomingRule,
  type IncomingWebhook,
  IncomingWebhookChange,
  type MappedField,
  mappedFields,
  type partnerMatches,
  type transforms,
} from '#contract/incoming-webhooks.ts'
import { mistakesIn } from '../../ui/form-body.ts'
import { basicWords } from '../../words/basic.ts'
import { labelWords } from '../../words/fields.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'

export type ReplacementRow = { from: string; to: string }
export type ConditionRow = { path: string; op: (typeof conditionOps)[number]; values: string[] }

/** A target field and its mapping. Rows without a path, or constants without a text, are not sent. */
export type MappingRow = {
  field: string
  path: string
  transform: (typeof transforms)[number]
  default: string
  values: ReplacementRow[]
}
export type Match = { by: (typeof partnerMatches)[number] | null; path: string }

/** A rule in the form: a row for each field of its target. */
export type RuleValues = Pick<IncomingRule, 'name' | 'target'> & {
  each: string
  when: ConditionRow[]
  mapping: MappingRow[]
  partnerMatch: Match
}

export type ShownRule = IncomingWebhook['rules'][number]
type Guesses = IncomingWebhook['guesses']

export const MOST_RULES = 10
export const MOST_CONDITIONS = 10
export const MOST_REPLACED = 30
export const NO_CONDITION: ConditionRow = { path: '', op: 'is', values: [] }
export const NO_REPLACEMENT: ReplacementRow = { from: '', to: '' }

/** Fields that name the partner, which has its own row. */
const NAMING: readonly string[] = ['referralCode', 'partnerId', 'clickId']

/** Refunds and statuses belong to a sale or lead whose partner is already known. */
export const matchesPartner = ({ target }: Pick<ShownRule, 'target'>) => target === 'lead' || target === 'sale'

/** Conditions that compare with values. */
export const hasValues = (op: ConditionRow['op']) => op === 'is' || op === 'is-not'

/**
 * Returns a rule's values: as saved, then the other fields of its target as guessed. A rule that is mapped already is
 * guessed only its `open` fields.
 */
export function toRuleValues(rule: ShownRule, guesses: Guesses = [], open: readonly string[] = []): RuleValues {
  const { name, target, each, when, mapping } = rule
  return { name, target, each: each ?? '', when, mapping: mappingRows(rule, guesses, open), partnerMatch: matchOf() }

  function matchOf(): Match {
    if (rule.partnerMatch) return rule.partnerMatch
    const guess = guesses.find(({ field }) => field === 'referralCode')
    const isGuessed = guess && matchesPartner(rule) && (mapping.length === 0 || open.includes('partnerMatch'))
    return isGuessed ? { by: 'referralCode', path: guess.path } : { by: null, path: '' }
  }
}

function mappingRows({ target, mapping }: ShownRule, guesses: Guesses, open: readonly string[]): MappingRow[] {
  const saved = mapping.map((row) => ({
    ...row,
    path: row.path ?? '',
    default: row.default ?? '',
    values: Object.entries(row.values ?? {}).map(([from, to]) => ({ from, to })),
  }))
  const others = mappedFields[target].filter(
    (field) => !NAMING.includes(field) && saved.every((row) => row.field !== field),
  )
  const guessed = others.map((field) => {
    const isWanted = mapping.length === 0 || open.includes(field)
    const { path = '', transform = 'none' } = (isWanted && guesses.find((guess) => guess.field === field)) || {}
    return { field, path, transform, default: '', values: [] }
  })
  return [...saved, ...guessed]
}

/** Fills rows the user has not changed with the guesses from a newer sample. */
export function withLaterGuesses(
  now: readonly RuleValues[],
  before: readonly RuleValues[],
  guessed: readonly RuleValues[],
): RuleValues[] {
  const untouched = (one: object, other: object | undefined) => JSON.stringify(one) === JSON.stringify(other)
  return now.map((rule) => {
    const [then, next] = [before, guessed].map((rules) => rules.find(({ name }) => name === rule.name))
    if (!then || !next) return rule
    const of = (rows: readonly MappingRow[], { field }: MappingRow) => rows.find((row) => row.field === field)
    return {
      ...rule,
      mapping: rule.mapping.map((row) =>
        untouched(row, of(then.mapping, row)) ? (of(next.mapping, row) ?? row) : row,
      ),
      partnerMatch: untouched(rule.partnerMatch, then.partnerMatch) ? next.partnerMatch : rule.partnerMatch,
    }
  })
}

/** Returns a rule for a tab of its own: named unlike the others. */
export function addedRule(rule: ShownRule, others: readonly RuleValues[]): RuleValues {
  const taken = new Set(others.map(({ name }) => name.trim().toLowerCase()))
  let name = rule.name
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${rule.name} ${number}`
  return toRuleValues({ ...rule, name })
}

/** Returns the path to read from the sample; a constant has none, even if one was typed before. */
export const toPath = ({ path, transform }: Pick<MappingRow, 'path' | 'transform'>) =>
  transform === 'constant' ? '' : path

export const isMapped = ({ path, transform, default: text }: Omit<MappingRow, 'field' | 'values'>) =>
  (transform === 'constant' ? text : path).trim() !== ''

const mappingOf = (rows: readonly MappingRow[]): MappedField[] =>
  rows.filter(isMapped).map(({ path, default: text, values, ...row }) => ({
    ...row,
    path: toPath({ ...row, path }) || null,
    default: text || null,
    values: replacementsOf(values),
  }))

function replacementsOf(rows: readonly ReplacementRow[]) {
  const used = rows.filter(({ from, to }) => from.trim() !== '' && to.trim() !== '')
  return used.length > 0 ? Object.fromEntries(used.map(({ from, to }) => [from, to])) : null
}

const partnerMatchOf = ({ by, path }: Match) => (by && path.trim() ? { by, path } : null)

const isUsed = ({ path, values }: ConditionRow) => path.trim() !== '' || values.length > 0

/** Returns the rules in the contract's form. */
export const toRules = (rules: readonly RuleValues[]) =>
  rules.map(({ name, target, each, when, mapping, partnerMatch }) => ({
    name: name.trim(),
    target,
    each: each.trim() || null,
    when: when.filter(isUsed).map(({ path, op, values }) => ({
      path: path.trim(),
      op,
      values: hasValues(op) ? values : [],
    })),
    mapping: mappingOf(mapping),
    partnerMatch: partnerMatchOf(partnerMatch),
  }))

/** Returns messages about the rules, by path. */
export function ruleMistakes(rules: readonly RuleValues[]) {
  const missing: Record<string, string> = {}
  for (const [at, { mapping, partnerMatch }] of rules.entries()) {
    for (const [place, row] of mapping.entries()) {
      const field = mappingFieldLabel(row.field)
      if (row.transform === 'constant' && row.default.trim() === '')
        missing[`rules.${at}.mapping.${place}.default`] = incomingWebhookWords.valueOf({ field })
      for (const [which, { from, to }] of row.values.entries())
        if (from.trim() && !to.trim())
          missing[`rules.${at}.mapping.${place}.values.${which}.to`] = incomingWebhookWords.replacement
    }
    if (partnerMatch.by && partnerMatch.path.trim() === '')
      missing[`rules.${at}.partnerMatch.path`] = incomingWebhookWords.pathOf({ field: labelWords.partner })
  }
  const required = (label: string) => basicWords.rules.required({ label })
  const labels: [RegExp, string][] = [
    [/\.name$/, incomingWebhookWords.ruleName],
    [/\.when\.\d+\.path$/, incomingWebhookWords.conditionPath],
  ]
  const wrong = mistakesIn(IncomingWebhookChange, { rules: toRules(rules) }, (path) => {
    const [, label] = labels.find(([place]) => place.test(path)) ?? []
    return label && required(label)
  })
  return {
    ...placedAtRows(wrong, rules),
    ...Object.fromEntries(Object.entries(missing).map(([path, label]) => [path, required(label)])),
  }
}

export const mappingFieldLabel = (field: string) =>
  (incomingWebhookWords.fields as Record<string, string>)[field] ?? field

/** Moves messages, which index the rows that were sent, to the rows of the form. */
export function placedAtRows<M>(fields: Readonly<Record<string, M>>, rules: readonly RuleValues[]) {
  const sent = rules.map(({ mapping, when }) => ({
    mapping: placesOf(mapping, isMapped),
    when: placesOf(when, isUsed),
  }))
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => {
      const [, rule, list, at, rest] = /^rules\.(\d+)\.(mapping|when)\.(\d+)(.*)$/.exec(path) ?? []
      const places = rule && sent[Number(rule)]?.[list as 'mapping' | 'when']
      return [places ? `rules.${rule}.${list}.${places[Number(at)]}${rest}` : path, message]
    }),
  )
}

const placesOf = <T>(rows: readonly T[], isSent: (row: T) => boolean) =>
  rows.flatMap((row, at) => (isSent(row) ? [at] : []))

/** Moves messages about the fields' values to the rows of a rule that map them. */
export function placedByField(fields: Record<string, string>, rules: readonly RuleValues[], rule: number) {
  const rows = rules[rule]?.mapping ?? []
  return Object.fromEntries(
    Object.entries(fields).map(([field, message]) => {
      const at = rows.findIndex((row) => row.field === field)
      if (at >= 0)
        return [`rules.${rule}.mapping.${at}.${rows[at]?.transform === 'constant' ? 'default' : 'path'}`, message]
      return [NAMING.includes(field) ? `rules.${rule}.partnerMatch.path` : field, message]
    }),
  )
}
