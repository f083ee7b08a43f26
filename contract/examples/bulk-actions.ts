import type * as room from '../bulk-actions.ts'
import type { ExamplesOf } from './example.ts'
import { ids, onlyPage } from './objects.ts'

const begun: room.BulkAction = {
  id: ids.bulkAction,
  accountId: ids.account,
  action: 'remind-partners',
  state: 'running',
  total: 1,
  done: 0,
  refused: 0,
  links: 0,
  unsent: 0,
  refusals: [],
  createdAt: '2026-08-27T12:00:03.118Z',
  finishedAt: null,
}
const ended: room.BulkAction = { ...begun, state: 'done', done: 1, finishedAt: '2026-08-27T12:00:03.551Z' }

export const bulkActions: ExamplesOf<typeof room> = {
  startBulkAction: { body: { action: 'remind-partners', ids: [ids.partner] }, reply: begun },
  previewEarlierSales: {
    body: { ids: [ids.lead] },
    reply: {
      leads: [{ id: ids.lead, sales: { count: 2, amount: 998_00 } }],
      sales: { count: 2, amount: 998_00 },
    },
  },
  listBulkActions: { reply: onlyPage(ended) },
  downloadBulkActionRefusals: {
    params: { bulkActionId: ids.bulkAction },
    reply: `"name","id","reason"\r\n"Jane Whitfield","${ids.partner}","This partner was reminded within the last week."\r\n`,
  },
  getBulkAction: { params: { bulkActionId: ids.bulkAction }, reply: ended },
  cancelBulkAction: {
    params: { bulkActionId: ids.bulkAction },
    refused: ['bulk_action_ended'],
    reply: { ...ended, state: 'canceled', done: 0 },
  },
}
