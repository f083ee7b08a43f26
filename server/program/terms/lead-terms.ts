import type { LeadEvent, Terms } from '#contract/terms.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { type SaleCap, wholeUnits } from './caps.ts'
import { matchingRule, type RuleFacts } from './match.ts'
import type { SaleTerms } from './plan.ts'

/** The events of a lead that rules pay for, each once. */
export const leadEvents = ['qualified-lead', 'new-customer'] as const satisfies readonly LeadEvent[]

/** A lead's credit for one event, as stored with the lead: its version of the terms, and the facts of that moment. */
export type LeadCredit = Required<Pick<SaleTerms, 'source' | 'number' | 'seen' | 'line'>> &
  Pick<SaleTerms, 'lead' | 'unit'> & {
    /** Place of the rule, from 0; null if none matched, or if the lead pays nothing. */
    rule: number | null
    /** The caps of a month and a year as the event met them, if a customer is paid. */
    cap?: SaleCap
    /** Why the lead pays nothing, whatever its terms. */
    unpaid?: 'duplicate' | 'self-referral' | 'paid-before' | 'no-payment'
    /** The import that gave the lead its partner was undone: what they were paid is taken back for good. */
    undone?: boolean
    /** A case that held the pay was voided: it is taken back for good. */
    voided?: boolean
    /** The number of entries of earlier credits, which are undone: their partners keep nothing. */
    former?: number
    /** Link in whose figures the pay counts. */
    blueprintId: string | null
    /** When the lead got its partner, ISO 8601. */
    referredAt: string
    /** The day of the event, and from there the days to the due date, in this time zone. */
    day: string
    payoutDelay: number
    timeZone: string
  }

export type LeadCredits = Partial<Record<LeadEvent, LeadCredit>>

/** Returns the place of the rule that pays for an event of a lead with these facts, or undefined. */
export const leadRule = ({ rules }: Terms, event: LeadEvent, lead: SaleTerms['lead']) =>
  matchingRule(rules, event, leadRuleFacts(lead))

export const leadRuleFacts = (lead: SaleTerms['lead']): RuleFacts => ({
  saleDate: '',
  accountAmount: 0,
  partnerCode: false,
  place: null,
  since: null,
  country: lead?.country ?? null,
  metadata: lead?.metadata ?? {},
})

export type LeadPay = { partnerId: string; layer: number; amount: number; rule: string | null }

/**
 * Returns the pay of each partner of the line who may earn; nothing moves up. Null terms pay nothing. Of units only whole
 * ones are earned.
 */
export function leadPay(
  { rule, line, cap, unit = 1 }: Pick<LeadCredit, 'rule' | 'line' | 'cap' | 'unit'>,
  terms: Terms | null,
): LeadPay[] {
  if (rule === null || !terms) return []
  const { layerAmounts = [], name } = terms.rules[rule]!
  return line.flatMap(({ partnerId, earns }, layer) => {
    const amount = wholeUnits(Math.min(layerAmounts[layer] ?? 0, cap?.kept ?? Number.POSITIVE_INFINITY), unit)
    return partnerId && earns && amount > 0 ? [{ partnerId, layer, amount, rule: name }] : []
  })
}

/** Whether a lead in this state keeps its pay for an event. */
export const retainsPay = (
  event: LeadEvent,
  status: string,
  { undone = false, voided = false }: Pick<LeadCredit, 'undone' | 'voided'> = {},
) => !undone && !voided && (event === 'new-customer' ? status === 'won' : status !== 'rejected')

/** Whether a lead with its own partner's e-mail pays nothing, by the account's policy. */
export const refusesLead = (policy: string, isOwn: boolean) => isOwn && policy !== 'allow' && policy !== 'flag'

/** Whether any terms that an account ever had pay for leads; as the index of the log has it. */
export const paysForLeads = (account: Sql) => sql`exists (select from terms_log where account_id = ${account}
  and jsonb_path_exists(terms, '$.rules[*] ? (@.on == "qualified-lead" || @.on == "new-customer")'))`
