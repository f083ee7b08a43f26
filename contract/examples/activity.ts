import type * as room from '../activity.ts'
import type { ExamplesOf } from './example.ts'
import { ids, onlyPage } from './objects.ts'

export const activity: ExamplesOf<typeof room> = {
  listAudit: {
    query: { action: 'account', from: '2026-07-01', to: '2026-07-31' },
    reply: onlyPage({
      id: ids.auditRow,
      at: '2026-07-14T09:31:17.640Z',
      actor: { type: 'user', id: ids.owner, name: 'Elena Marsh' },
      network: '203.0.113.0/24',
      action: 'account.updated',
      subject: { type: 'account', id: ids.account, name: 'Acme' },
      changes: { payoutDelay: { old: 14, new: 30 } },
      names: {},
      currency: null,
    }),
  },
}
