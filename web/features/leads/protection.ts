import type { Lead } from '#contract/leads.ts'
import { formatDay } from '../../format.ts'
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
