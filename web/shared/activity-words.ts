import type { AuditRow } from '#contract/activity.ts'
import { nativeName } from '#contract/language.ts'
import type { Paydays } from '#contract/paydays.ts'
import type { Terms } from '#contract/terms.ts'
import { formatDate, formatMoney, formatShortDateTime } from '../format.ts'
import { activityWords } from '../words/activity.ts'
import { badgeWords } from '../words/badges.ts'
import { basicWords } from '../words/basic.ts'
import { fieldWords } from '../words/fields.ts'
import { goalWords } from '../words/goals.ts'
import { incomingWebhookWords } from '../words/incoming-webhooks.ts'
import { outgoingWebhookWords } from '../words/outgoing-webhooks.ts'
import { termsWords } from '../words/terms.ts'
import { commissionLabel, termsInLine } from './commission.ts'
import { paydaysLabel } from './paydays.ts'

/** Returns the words at a path, such as 'partner.created', if any. */
function wordsAt(words: unknown, path: string): string | undefined {
  let found = words
  for (const key of path.split('.'))
    found = typeof found === 'object' && found !== null && Object.hasOwn(found, key) ? found[key as never] : undefined
  return typeof found === 'string' ? found : undefined
}

/** Returns 'Partner changed', or the action's name if there are no words for it. */
export const activityLabel = (action: string) => wordsAt(activityWords.acts, action) ?? action.replaceAll(/[.-]/g, ' ')

/** Returns the actor's name: a person's name or email, else the kind of actor. */
export function actorLabel({ type, name }: AuditRow['actor']) {
  if (type === 'api-key') return name ?? activityWords.apiKey
  if (type === 'portal') return activityWords.portal({ key: name ?? activityWords.apiKey })
  return type === 'system' ? activityWords.system : (name ?? activityWords.formerUser)
}

/** Returns 'Payout delay (days)' or 'EUR on Jan 31, 2026'; undefined for fields without words. */
export function activityFieldLabel(field: string) {
  const [, currency, date] = /^([a-z]{3}) (\d{4}-\d\d-\d\d)$/.exec(field) ?? []
  if (currency && date) return activityWords.rateOf({ currency: currency.toUpperCase(), date: formatDate(date) })
  return wordsAt(fieldWords, field) ?? wordsAt(activityWords.parts, field)
}

const MONEY = [
  'amount',
  'bonus',
  'grossAmount',
  'taxAmount',
  'refundedAmount',
  'minimumPayout',
  'maxPerPayout',
  'maxPerRun',
  'taxThreshold',
]
/** Fields of a goal with an amount, if its metric is revenue. */
const FIGURES = ['atLeast', 'below']
/** Fields with typed text; other texts are identifiers of the interface. */
const TYPED = [
  ...['company', 'description', 'email', 'externalReference', 'firstName', 'goal', 'lastName', 'name', 'note'],
  ...['owner', 'phone', 'publicName', 'reason', 'headline', 'text', 'rules', 'slug', 'joinSlug', 'label'],
]

/** Maximum characters shown; longer values are only in the file. */
const MOST = 120

type Of = Pick<AuditRow, 'subject'> &
  Partial<Pick<AuditRow, 'names'>> & {
    currency: string
    timeZone: string
    /** The metric of a goal's figures. */
    metric?: unknown
  }

/**
 * Returns a field's value in words. `code` is a value shown as the interface has it; amounts are minor units of
 * `currency`, and ids are replaced by their name in `names`.
 */
export function activityValueLabel(field: string, value: unknown, of: Of): { words: string } | { code: string } {
  if (value === null || value === undefined || value === '') return { words: basicWords.absent }
  if (typeof value === 'boolean') return { words: value ? activityWords.yes : activityWords.no }
  const isMoney = MONEY.includes(field) || (FIGURES.includes(field) && of.metric === 'revenue')
  if (typeof value === 'number' && isMoney) return { words: formatMoney(value, of.currency) }
  if (field === 'paydays') return { words: paydaysLabel(value as Paydays) }
  const words = typeof value === 'string' && inWords(field, value, of)
  if (words) return { words }
  if (isTerms(value)) return { words: cut(termsInLine(value, of.currency)) }
  if (hasRates(value)) return { words: commissionLabel(value.layerRates) }
  if (isEmpty(value)) return { words: basicWords.absent }
  if (field === 'translations') return { words: Object.keys(value).map(nativeName).join(', ') }
  if (field === 'events' && isPlain(value) && value.join() === '*') return { words: outgoingWebhookWords.allEvents }
  if (isPlain(value)) return { code: cut(value.join(', ')) }
  return typeof value === 'object' ? { words: cut(partsInWords(value, of)) } : { code: cut(String(value)) }
}

const cut = (said: string) => (said.length > MOST ? `${said.slice(0, MOST)}…` : said)

/**
 * Returns the parts of an object or list, 'Source newsletter, Medium email'; without empty values, and without the key
 * of a keyed one.
 */
function partsInWords(value: object, of: Of): string {
  if (Array.isArray(value)) return value.map((one) => toText('', one, of)).join('; ')
  return Object.entries(value)
    .filter(([key, part]) => key !== 'key' && part !== null && part !== undefined && part !== '' && !isEmpty(part))
    .map(([key, part]) => {
      // a value that identifies the item needs no label
      const name = ['type', 'field', 'label', 'action'].includes(key)
        ? ''
        : (wordsAt(activityWords.parts, key) ?? activityFieldLabel(key) ?? key)
      return [name, toText(key, part, of)].filter(Boolean).join(' ')
    })
    .join(', ')
}

function toText(field: string, value: unknown, of: Of): string {
  const label = activityValueLabel(field, value, of)
  return 'code' in label ? label.code : label.words
}

/** Words of states by the type of their subject. */
const OF_STATES: Record<string, object | string> = badgeWords
/** Words of other values by their field: their own, and those of other screens. */
const OF_VALUES: Record<string, object> = {
  ...activityWords.values,
  appliesTo: termsWords.reached,
  field: incomingWebhookWords.fields,
  format: outgoingWebhookWords.formats,
  metric: goalWords.metrics,
  transform: incomingWebhookWords.transforms,
  window: goalWords.windows,
}

function valuesOf(field: string, type: string) {
  if (type === 'lead' && field === 'reason') return activityWords.values.leadReason
  // an account's page is its only part with a state
  if (type === 'account' && field === 'state') return activityWords.values.programState
  return ['state', 'status'].includes(field) ? OF_STATES[type] : OF_VALUES[field]
}

function inWords(field: string, value: string, { subject: { type }, names, timeZone }: Of) {
  const known = wordsAt(valuesOf(field, type), value)
  if (known) return known
  if (TYPED.includes(field)) return value
  if (names?.[value]) return names[value]
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatDate(value)
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? formatShortDateTime(value, timeZone) : undefined
}

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** Returns whether a value is a list of numbers or short texts. */
const isPlain = (value: unknown): value is (string | number)[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number')

const isTerms = (value: unknown): value is Terms => typeof value === 'object' && value !== null && 'otherwise' in value

const hasRates = (value: unknown): value is { layerRates: number[] } =>
  typeof value === 'object' && value !== null && 'layerRates' in value && Array.isArray(value.layerRates)
