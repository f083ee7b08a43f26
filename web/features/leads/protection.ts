import type { Lead } from '#contract/leads.ts'
import { formatDate, formatDay } from '../../format.ts'
import { t } from '../../words.ts'

/**
 * Until when nobody else can register a lead: 'Protected until Feb 16, 2027.' Null where it holds nobody off: of two
 * registrations the first is protected, and a rejected one is not.
 */
export function protectionOf({ status, protectedUntil }: Pick<Lead, 'status' | 'protectedUntil'>, timeZone: string) {
  if (status === 'duplicate' || status === 'rejected') return null
  if (!protectedUntil) return t('leads.protection.endless')
  const date = formatDay(protectedUntil, timeZone)
  return t(Date.parse(protectedUntil) > Date.now() ? 'leads.protection.protected' : 'leads.protection.ended', { date })
}

/**
 * Their protection, or since when a customer is a partner's: 'Customer of Jane Whitfield since Sep 10, 2026'. A protection
 * that ended reads as if the customer were lost, so it is left out even if the first sale is not known.
 */
export function standingOf(
  lead: Pick<Lead, 'status' | 'protectedUntil' | 'partnerName'>,
  firstSale: string | undefined,
  timeZone: string,
) {
  const { status, protectedUntil, partnerName: partner } = lead
  const isOver = protectedUntil !== null && Date.parse(protectedUntil) <= Date.now()
  if (status !== 'won' || !isOver) return protectionOf(lead, timeZone)
  if (!firstSale) return null
  const date = formatDate(firstSale)
  return partner ? t('leads.protection.customerOf', { partner, date }) : t('leads.protection.customer', { date })
}
