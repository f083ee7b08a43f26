import i18next from 'i18next'
import type { AuditRow } from '#contract/activity.ts'
import { formatDate, formatMoney, formatShortDateTime } from '../format.ts'
import { t } from '../words.ts'
import { commissionLabel } from './commission.ts'

/** Returns the catalogue's words for this key, if any. */
function wordsFor(key: string): string | undefined {
  return i18next.exists(key as never) ? String(i18next.t(key as never)) : undefined
}

/** Returns 'Partner changed', or the action's name if the catalogue has no words for it. */
export const activityLabel = (action: string) => wordsFor(`activity.acts.${action}`) ?? action.replaceAll(/[.-]/g, ' ')

/** Returns the actor's name: a person's name or email, else the kind of actor. */
export function actorLabel({ type, name }: AuditRow['actor']) {
  if (type === 'api-key') return name ?? t('activity.apiKey')
  return type === 'system' ? t('activity.system') : (name ?? t('activity.formerUser'))
}

/** Returns 'Payout delay (days)' or 'EUR on Jan 31, 2026'; undefined for fields without words. */
export function activityFieldLabel(field: string) {
  const [, currency, date] = /^([a-z]{3}) (\d{4}-\d\d-\d\d)$/.exec(field) ?? []
  if (currency && date) return t('activity.rateOf', { currency: currency.toUpperCase(), date: formatDate(date) })
  return wordsFor(`activity.fields.${field}`)
}

const MONEY = [
  'amount',
  'grossAmount',
  'taxAmount',
  'refundedAmount',
  'minimumPayout',
  'maxPerPayout',
  'maxPerRun',
  'taxThreshold',
]
/** Fields with typed text; other texts are identifiers of the interface. */
const TYPED = [
  ...['company', 'description', 'email', 'externalReference', 'firstName', 'lastName', 'name', 'owner', 'phone'],
  'reason',
]

/** Maximum characters shown; longer values are only in the file. */
const MOST = 120

type Of = Pick<AuditRow, 'subject'> & Partial<Pick<AuditRow, 'names'>> & { currency: string; timeZone: string }

/**
 * Returns a field's value in words. `code` is a value shown as the interface has it; amounts are minor units of
 * `currency`, and ids are replaced by their name in `names`.
 */
export function activityValueLabel(field: string, value: unknown, of: Of): { words: string } | { code: string } {
  if (value === null || value === undefined || value === '') return { words: t('absent') }
  if (typeof value === 'boolean') return { words: t(value ? 'activity.yes' : 'activity.no') }
  if (typeof value === 'number' && MONEY.includes(field)) return { words: formatMoney(value, of.currency) }
  const words = typeof value === 'string' && inWords(field, value, of)
  if (words) return { words }
  if (hasRates(value)) return { words: commissionLabel(value.layerRates) }
  if (Array.isArray(value) && value.length === 0) return { words: t('absent') }
  if (field === 'events' && isPlain(value) && value.join() === '*') return { words: t('outgoingWebhooks.allEvents') }
  if (isPlain(value)) return { code: cut(value.join(', ')) }
  return typeof value === 'object' ? { words: cut(partsInWords(value, of)) } : { code: cut(String(value)) }
}

const cut = (said: string) => (said.length > MOST ? `${said.slice(0, MOST)}…` : said)

/**
 * Returns the parts of an object or list, 'Source newsletter, Medium email'; without empty values, and without the key
 * of a keyed one.
 */
function partsInWords(value: object, of: Of): string {
  if (Array.isArray(value)) return value.map((one) => said('', one, of)).join('; ')
  return Object.entries(value)
    .filter(([key, part]) => key !== 'key' && part !== null && part !== undefined && part !== '')
    .map(([key, part]) => {
      // a value that identifies the item needs no label
      const name = ['type', 'field'].includes(key)
        ? ''
        : (wordsFor(`activity.parts.${key}`) ?? activityFieldLabel(key) ?? key)
      return [name, said(key, part, of)].filter(Boolean).join(' ')
    })
    .join(', ')
}

function said(field: string, value: unknown, of: Of): string {
  const label = activityValueLabel(field, value, of)
  return 'code' in label ? label.code : label.words
}

/** Keys of other screens' words for the values of a part. */
const ELSEWHERE: Record<string, string> = {
  field: 'incomingWebhooks.fields',
  selectorType: 'embedCode.types',
  transform: 'incomingWebhooks.transforms',
}

function inWords(field: string, value: string, { subject: { type }, names, timeZone }: Of) {
  const place = ['state', 'status'].includes(field)
    ? `badges.${type}`
    : (ELSEWHERE[field] ?? `activity.values.${field}`)
  const known = wordsFor(`${type === 'lead' && field === 'reason' ? 'activity.values.leadReason' : place}.${value}`)
  if (known) return known
  if (TYPED.includes(field)) return value
  if (names?.[value]) return names[value]
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatDate(value)
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? formatShortDateTime(value, timeZone) : undefined
}

/** Returns whether a value is a list of numbers or short texts. */
const isPlain = (value: unknown): value is (string | number)[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number')

const hasRates = (value: unknown): value is { layerRates: number[] } =>
  typeof value === 'object' && value !== null && 'layerRates' in value && Array.isArray(value.layerRates)
