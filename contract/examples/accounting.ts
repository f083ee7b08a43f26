import type * as room from '../accounting.ts'
import type { ExamplesOf } from './example.ts'
import { ids, onlyPage } from './objects.ts'

const sums = { owed: 312_40, due: 187_15, later: 125_25 }

const journal = [
  '"JournalNo","Date","Account","Debit","Credit","Description","Name","Reference","Currency"',
  '"20260603-out","2026-06-03","Commissions payable","100.00","","Payouts sent","","","usd"',
  '"20260603-out","2026-06-03","Bank","","100.00","Payouts sent","","","usd"',
  '',
].join('\r\n')

export const books: ExamplesOf<typeof room> = {
  listLiability: {
    params: { day: '2026-06-30' },
    refused: ['day_in_future', 'day_unreadable'],
    reply: {
      ...onlyPage<room.PartnerLiability>({ partnerId: ids.partner, partnerName: 'Jane Whitfield', ...sums }),
      day: '2026-06-30',
      timeZone: 'America/New_York',
      currency: 'usd',
      ...sums,
    },
  },
  downloadJournal: {
    params: { range: '2026-01-01..2026-06-30' },
    refused: ['journal_too_long', 'range_backwards', 'range_out_of_bounds', 'range_too_long', 'range_unreadable'],
    reply: journal,
  },
}
