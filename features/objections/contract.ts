import { endpoint, rights } from '#contract/endpoint.ts'
import type { Events, Refusals } from '#contract/feature-parts.ts'
import { Invoice } from '#contract/invoices.ts'
import { Reasoned } from '#contract/values.ts'

export const refusals = {
  objected_already: ['invalid_state', 'You already objected to this invoice.'],
  objection_too_late: ['invalid_state', 'Objections are possible within {{days}} days after an invoice is issued.'],
  objection_impossible: [
    'invalid_state',
    'Only an invoice with a number that no credit note takes back can be objected to.',
  ],
  no_open_objection: ['invalid_state', 'This document has no open objection. Reload it.'],
} as const satisfies Refusals

export const createObjection = endpoint('createObjection', 'POST /invoices/:id/objection', {
  summary:
    'Object to an invoice, once, within 30 days after it was issued or got its number; what was paid stays as it is',
  allow: ['partner'],
  inPerson: true,
  whileInactive: true,
  limit: { perMinute: 30, by: 'token' },
  subject: 'invoice',
  body: Reasoned,
  reply: Invoice,
})

export const closeObjection = endpoint('closeObjection', 'POST /invoices/:id/objection/close', {
  summary: 'Close an objection: it no longer needs attention',
  allow: rights.pay,
  limit: { perMinute: 30, by: 'token' },
  subject: 'invoice',
  reply: Invoice,
})

export const events = {
  'invoice.objected': { object: Invoice, description: 'A partner objected to an invoice.' },
} as const satisfies Events
export const recordedEvents = { 'invoice.objection-closed': 'invoice' } as const

export const mailKinds = ['invoice-objected'] as const
/** Items of an owner’s dashboard, each with the kind that it follows there. */
export const attention = { 'open-objections': 'blocked-payouts' } as const

/** In the reference its calls follow those of this group. */
export const listedAfter = 'payouts'
