import i18next from 'i18next'
import type { AuditRow } from '#contract/activity.ts'
import { formatDate, formatMoney, formatNearMoment } from '../format.ts'
import { t } from '../words.ts'
import { commissionLabel } from './commission.ts'

/** Words of the catalogue under this key, if it has any. */
function wordsFor(key: string): string | undefined {
  return i18next.exists(key as never) ? String(i18next.t(key as never)) : undefined
}

/** 'Partner changed'; an act that the catalogue has no words for is said by its name. */
export const actLabel = (action: string) => wordsFor(`activity.acts.${action}`) ?? action.replaceAll(/[.-]/g, ' ')

/** Who did it: a person by name or email, else what did it. */
export function actorLabel({ type, name }: AuditRow['actor']) {
  if (type === 'api-key') return name ?? t('activity.apiKey')
  return type === 'system' ? t('activity.system') : (name ?? t('activity.formerUser'))
}

/** 'Payout delay (days)', 'EUR on Jan 31, 2026'; undefined for what only the interface names. */
export function fieldLabel(field: string) {
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
/** What people typed; other texts are words of the interface. */
const TYPED = [
  ...['company', 'description', 'email', 'externalReference', 'firstName', 'lastName', 'name', 'owner', 'phone'],
  'reason',
]

/** What is longer is told by the file. */
const MOST = 120

type Of = Pick<AuditRow, 'subject'> & Partial<Pick<AuditRow, 'names'>> & { currency: string; timeZone: string }

/**
 * What a field held. `code` is said as the interface has it; amounts are minor units of `currency`, and who stands there
 * by an id is said by `names`.
 */
export function valueLabel(field: string, value: unknown, of: Of): { words: string } | { code: string } {
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

/** 'Source newsletter, medium email': what an object or a list of them holds, part by part; nothing of what is empty. */
function partsInWords(value: object, of: Of): string {
  if (Array.isArray(value)) return value.map((one) => said('', one, of)).join('; ')
  return Object.entries(value)
    .filter(([, part]) => part !== null && part !== undefined && part !== '')
    .map(([key, part]) => {
      // of a kind no more needs to be said than which it is
      const name = key === 'type' ? '' : spelled(key)
      return [name, said(key, part, of)].filter(Boolean).join(' ')
    })
    .join(', ')
}

function said(field: string, value: unknown, of: Of): string {
  const label = valueLabel(field, value, of)
  return 'code' in label ? label.code : label.words
}

/** 'leadNames' as 'Lead names'. */
const spelled = (key: string) => {
  const words = key.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function inWords(field: string, value: string, { subject: { type }, names, timeZone }: Of) {
  const known = ['state', 'status'].includes(field)
    ? wordsFor(`badges.${type}.${value}`)
    : wordsFor(`activity.values.${type === 'lead' && field === 'reason' ? 'leadReason' : field}.${value}`)
  if (known) return known
  if (TYPED.includes(field)) return value
  if (names?.[value]) return names[value]
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatDate(value)
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? formatNearMoment(value, timeZone) : undefined
}

/** A list of numbers or short texts. */
const isPlain = (value: unknown): value is (string | number)[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number')

const hasRates = (value: unknown): value is { layerRates: number[] } =>
  typeof value === 'object' && value !== null && 'layerRates' in value && Array.isArray(value.layerRates)
