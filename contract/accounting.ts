import { z } from 'zod'
import { csvEndpoint, csvLimit } from './csv.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { Amount, DateOnly, Id, listQuery, pageSchema, RangeParams } from './values.ts'

/** Most days in one journal. */
export const MOST_JOURNAL_DAYS = 366

/**
 * Amounts owed to a partner at the end of a day: everything recorded for them by then, less the payouts that had left
 * and not come back. `later` was not yet due then, today also what is on hold; `due` is the rest. A negative amount is
 * owed by the partner.
 */
export const PartnerLiability = z
  .object({ partnerId: Id, partnerName: z.string(), owed: Amount, due: Amount, later: Amount })
  .meta({ id: 'PartnerLiability' })
export type PartnerLiability = z.infer<typeof PartnerLiability>

/**
 * Partners who were owed nothing are left out. The answer for a past day stays the same: everything counts on the day
 * on which it was recorded, in the time zone that the answer names.
 */
export const listLiability = endpoint('listLiability', 'GET /accounts/:id/liability/:day', {
  tag: 'payouts',
  summary: 'List what each partner was owed at the end of a day, with the sums of all',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  params: z.strictObject({ id: Id, day: z.string().max(500) }),
  query: listQuery({}, ['owed', 'name']),
  reply: pageSchema(PartnerLiability).extend({
    day: DateOnly,
    timeZone: z.string(),
    currency: z.string(),
    owed: Amount,
    due: Amount,
    later: Amount,
  }),
})

export const downloadLiability = csvEndpoint(listLiability, {
  summary: 'Download what each partner was owed at the end of a day',
  file: 'liability',
})

export const journalDetails = ['day', 'entry'] as const
export type JournalDetail = (typeof journalDetails)[number]

/** A line for each day and kind, or for each entry and payout; the debits of each number are its credits. */
export const downloadJournal = endpoint('downloadJournal', 'GET /accounts/:id/journal/:range/csv', {
  tag: 'payouts',
  summary: 'Download the journal of at most 366 days as double entry; the range is {from}..{to}',
  allow: rights.read,
  limit: csvLimit,
  subject: 'account',
  params: RangeParams,
  query: z.strictObject({ detail: z.enum(journalDetails).default('day') }),
  produces: 'text/csv',
  reply: z.string(),
})
