import i18next from 'i18next'
import type { AuditRow } from '#contract/activity.ts'
import { formatMoney } from '../format.ts'
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

/** 'Payout delay (days)'; undefined for what only the interface names. */
export const fieldLabel = (field: string) => wordsFor(`activity.fields.${field}`)

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
const TYPED = ['company', 'description', 'email', 'firstName', 'lastName', 'name', 'owner', 'phone', 'reason']

/** What is longer is told by the file. */
const MOST = 120

/** What a field held. `code` is said as the interface has it; amounts are minor units of `currency`. */
export function valueLabel(field: string, value: unknown, currency: string): { words: string } | { code: string } {
  if (value === null || value === undefined || value === '') return { words: t('absent') }
  if (typeof value === 'boolean') return { words: t(value ? 'activity.yes' : 'activity.no') }
  if (typeof value === 'number' && MONEY.includes(field)) return { words: formatMoney(value, currency) }
  if (typeof value === 'string' && TYPED.includes(field)) return { words: value }
  if (hasRates(value)) return { words: commissionLabel(value.layerRates) }
  const said = typeof value === 'string' ? value : JSON.stringify(value)
  return { code: said.length > MOST ? `${said.slice(0, MOST)}…` : said }
}

const hasRates = (value: unknown): value is { layerRates: number[] } =>
  typeof value === 'object' && value !== null && 'layerRates' in value && Array.isArray(value.layerRates)
