import type { ExamplesOf } from '#contract/examples/example.ts'
import { onlyPage } from '#contract/examples/objects.ts'
import type * as room from './contract.ts'

export const calls: ExamplesOf<typeof room> = {
  listPushRequests: {
    reply: onlyPage({
      id: '01987f0f-ff10-7c47-8a9d-6be20d3f1c25',
      path: '/push/sales',
      status: 201,
      error: null,
      rows: null,
      failedRows: null,
      createdAt: '2026-07-27T21:01:09.341Z',
    }),
  },
}
