import type { z } from 'zod'
import type { IncomingCondition, IncomingRule, IncomingWebhook } from '#contract/incoming-webhooks.ts'
import {
  isWrittenNull,
  itemsAt,
  type Json,
  keysIn,
  type Source,
  sameText,
  toText,
  valueIn,
} from '#contract/payload-paths.ts'

export type Condition = { path: string; op: 'is' | 'is-not' | 'exists' | 'missing'; values: string[] }
export type Rule = Omit<IncomingRule, 'when'> & { when: Condition[] }

/** The stored parts of rules: those of the first beside them, and alone of webhooks from before there were several. */
export type StoredRules = Pick<IncomingRule, 'target' | 'mapping' | 'partnerMatch'> &
  Pick<IncomingWebhook, 'filters'> & { rules: Rule[] | null }

const ruleNames: Record<IncomingWebhook['target'], string> = {
  lead: 'Lead',
  sale: 'Sale',
  refund: 'Refund',
  'lead-status': 'Status',
}

/** Returns the rules; those that an archive brought are written as in a call, without what is left out there. */
export const toRules = ({ rules, ...only }: StoredRules): Rule[] => rules?.map(toRule) ?? [onlyRule(only)]

type OnlyRule = Pick<Rule, 'target'> & { [part in 'mapping' | 'partnerMatch']?: Rule[part] | undefined } & {
  filters?: IncomingCondition[] | undefined
}

/** Returns the rule of a webhook that has but one. */
export const onlyRule = ({ target, mapping = [], partnerMatch = null, filters = [] }: OnlyRule): Rule => ({
  name: ruleNames[target],
  target,
  each: null,
  mapping,
  partnerMatch,
  when: filters.map(toCondition),
})

export const toRule = ({
  each = null,
  when = [],
  mapping = [],
  partnerMatch = null,
  ...given
}: z.input<typeof IncomingRule>): Rule => ({
  ...given,
  each,
  partnerMatch,
  mapping: mapping.map((field) => ({ ...field, transform: field.transform ?? 'none' })),
  when: when.map(toCondition),
})

export const toCondition = (given: z.input<typeof IncomingCondition>): Condition =>
  'equals' in given ? { path: given.path, op: 'is', values: [given.equals] } : { ...given, values: given.values ?? [] }

/** Returns rules in stored form: the first one's parts are beside them too, as former releases read them. */
export function storedRules(rules: Rule[]): StoredRules {
  const [{ target, mapping, partnerMatch, when } = onlyRule({ target: 'lead' })] = rules
  const filters = when.flatMap(({ path, op, values }) =>
    op === 'is' && values.length === 1 ? [{ path, equals: values[0]! }] : [],
  )
  return { rules, target, mapping, partnerMatch, filters }
}

/** Whether a rule says what to read; one that does not yet makes nothing. */
export const isMapped = ({ mapping }: Pick<Rule, 'mapping'>) => mapping.length > 0

/** A payload or an item of it to which a rule applies. */
export type Applied = { rule: Rule; source: Source }

/**
 * The records to make of a payload. `refused`: none may be made, for this reason. `ignored`: why there are none.
 */
export type Application = { applied: Applied[]; ignored: string | null; refused: string | null; warnings: string[] }

/** Most items of a list that become records. */
const MOST_ITEMS = 200

/** Applies a webhook's rules, in order, to a payload, and those for each item of a list to each item in order. */
export function applyRules(stored: StoredRules, body: Json): Application {
  const application: Application = { applied: [], ignored: null, refused: null, warnings: [] }
  for (const rule of toRules(stored).filter(isMapped)) {
    const items = itemsAt(body, rule.each)
    if (items.length > MOST_ITEMS)
      return {
        ...application,
        applied: [],
        refused: `This delivery has ${items.length} items. At most ${MOST_ITEMS} are taken.`,
      }
    const isList = rule.each === null && Array.isArray(body) && body.length > 1
    const several = isList ? `This delivery has ${body.length} items. Set "For each item of" to $.` : null
    const outcomes = items.map(({ source }) => ({ rule, source, unmet: unmetBy(rule, source) }))
    const applied = outcomes.filter(({ unmet }) => unmet === null)
    application.ignored ??= items.length === 0 ? `"${rule.each}" has no items.` : (outcomes[0]?.unmet ?? null)
    if (several && applied.length > 0) {
      // a path to one item was saved before lists could be read
      if (stored.rules || !rule.mapping.some(({ path }) => path && /^\[?\d/.test(path)))
        return { ...application, applied: [], refused: several }
      application.warnings.push(several)
    }
    application.applied.push(...applied)
  }
  return application
}

/** Returns the first thing that a rule would read, whether it applies or not. */
export const firstItem = (rule: Rule, body: Json): Json | undefined => itemsAt(body, rule.each)[0]?.source.item

/** Returns why a rule does not apply, the first reason; null if it does. */
function unmetBy({ when }: Rule, source: Source): string | null {
  for (const { path, op, values } of when) {
    const value = valueIn(source, path)
    const text = toText(value)
    const found = text !== null && values.find((one) => sameText(one, text))
    if (op === 'is' && typeof found !== 'string') return `${path} is not ${either(values)}.`
    if (op === 'is-not' && typeof found === 'string') return `${path} is "${found}".`
    if (op === 'exists' && isMissing(value)) return `${path} is missing.`
    if (op === 'missing' && !isMissing(value)) return `${path} is not missing.`
  }
  return null
}

const either = (values: string[]) => values.map((value) => `"${value}"`).join(' or ')

const isMissing = (value: Json | undefined) =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && (value.trim() === '' || isWrittenNull(value))) ||
  (typeof value === 'object' && Object.keys(value).length === 0)

type Reads = Pick<Rule, 'mapping' | 'partnerMatch' | 'when'>

/** Returns the keys of the payload's values that a rule reads, of each item if it has a list. */
export const keysRead = (rule: Reads & Pick<Rule, 'each'>, body: Json): string[][] =>
  itemsAt(body, rule.each)
    .slice(0, MOST_ITEMS)
    .flatMap((item) => pathsOf(rule).map((path) => keysIn(item, path)))
    .filter((keys) => keys !== undefined)

/** The paths that a rule reads; a constant reads nothing, whatever its path. */
const pathsOf = ({ mapping, partnerMatch, when }: Reads): string[] => [
  ...mapping.flatMap(({ path, transform }) => (path && transform !== 'constant' ? [path] : [])),
  ...(partnerMatch ? [partnerMatch.path] : []),
  ...when.map(({ path }) => path),
]
