import type { ExamplesOf } from '#contract/examples/example.ts'
import { ids, onlyPage } from '#contract/examples/objects.ts'
import type * as room from './contract.ts'

const range = '2026-07-01..2026-07-31'
const rangeRefusals = ['range_backwards', 'range_out_of_bounds', 'range_too_long', 'range_unreadable'] as const
const money = { revenue: 4391_00, commission: 878_20, profit: 3512_80, refunds: 499_00 }
const figures = { clicks: 412, leads: 12, sales: 9, ...money, conversion: 9 / 412, earningsPerClick: 878_20 / 412 }
const saved: room.SavedReport = {
  id: ids.savedReport,
  accountId: ids.account,
  name: 'Sources of the month',
  by: 'source',
  period: 'last-month',
  sort: '-revenue',
  search: null,
  partnerId: null,
  every: 'month',
  savedBy: 'Olivia Hart',
  createdAt: '2026-07-28T09:14:22.120Z',
  updatedAt: '2026-07-28T09:14:22.120Z',
}

export const calls: ExamplesOf<typeof room> = {
  listReport: {
    params: { range },
    query: { by: 'source' },
    refused: [...rangeRefusals],
    reply: {
      ...onlyPage<room.ReportRow>({ kind: 'value', value: 'blog.acme.example', name: null, ...figures }),
      by: 'source',
      currency: 'usd',
      startDate: '2026-07-01',
      endDate: '2026-07-31',
      totals: figures,
      capped: false,
      waiting: 0,
    },
  },
  getCohorts: {
    params: { range },
    refused: [...rangeRefusals, 'cohorts_too_long'],
    reply: {
      currency: 'usd',
      cohorts: [
        {
          month: '2026-06',
          leads: 31,
          months: [
            { month: '2026-06', sales: 4, revenue: 1996_00, commission: 399_20 },
            { month: '2026-07', sales: 5, revenue: 2395_00, commission: 479_00 },
          ],
        },
      ],
      waiting: 0,
    },
  },
  listSavedReports: { reply: onlyPage(saved) },
  createSavedReport: {
    body: { name: 'Sources of the month', by: 'source', period: 'last-month', every: 'month' },
    refused: ['too_many_saved_reports'],
    reply: saved,
  },
  changeSavedReport: { body: { every: 'week' }, reply: { ...saved, every: 'week' } },
  deleteSavedReport: {},
}

export const subjectIds = { 'saved-report': ids.savedReport }
