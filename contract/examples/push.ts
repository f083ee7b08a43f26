import type * as room from '../push.ts'
import type { ExamplesOf } from './example.ts'
import { ids, onlyPage } from './objects.ts'

export const push: ExamplesOf<typeof room> = {
  listPushRequests: {
    reply: onlyPage({
      id: ids.pushRequest,
      path: '/push/sales',
      status: 201,
      error: null,
      rows: null,
      failedRows: null,
      createdAt: '2026-07-27T21:01:09.341Z',
    }),
  },
}
