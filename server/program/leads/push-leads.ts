import type { NewPushedLead } from '#contract/leads.ts'
import type { Json } from '#contract/payload-paths.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { RowAnswer } from '../../platform/http/rows.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { captureLead, type LeadToCapture, toIdentity } from './capture-lead.ts'
import { lockPeople } from './lead-facts.ts'
import { presentLead } from './present-lead.ts'

const submissionOf = (row: NewPushedLead, by: Author): LeadToCapture => ({ ...row, source: 'api', by })

/** A row as parsed, and as sent. */
export type Pushed = { row: NewPushedLead; sent: Json }

/** Creates the lead, or updates the existing one: known by external id, else e-mail, else phone. */
export async function pushLead(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  { row, sent }: Pushed,
): Promise<RowAnswer> {
  const { leadId, created } = await captureLead(tx, account, { ...submissionOf(row, by), sent })
  return { status: created ? 201 : 200, id: leadId, body: await presentLead(tx, { account, partnerId: null }, leadId) }
}

/**
 * Locks the people of the rows, all at once, so that two pushes of the same people never wait for each other in a
 * circle.
 */
export const lockPushedLeads = (tx: Transaction, by: Author, account: AccountFacts, rows: NewPushedLead[]) =>
  lockPeople(
    tx,
    [account.id],
    rows.map((row) => ({ ...toIdentity(submissionOf(row, by)), accountId: account.id })),
  )
