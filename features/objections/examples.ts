import type { ExamplesOf } from '#contract/examples/example.ts'
import { invoice } from '#contract/examples/invoices.ts'
import type * as room from './contract.ts'

const objected = { ...invoice, objectedAt: '2026-07-30T14:02:11.530Z' }

export const calls: ExamplesOf<typeof room> = {
  createObjection: {
    refused: ['objected_already', 'objection_impossible', 'objection_too_late'],
    body: { reason: 'We moved in June: the street is wrong.' },
    reply: objected,
  },
  closeObjection: {
    refused: ['no_open_objection'],
    reply: { ...objected, objectionClosedAt: '2026-07-31T08:40:00.000Z' },
  },
}

export const events = { 'invoice.objected': objected }
