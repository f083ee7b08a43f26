import { feature } from '#server/feature.ts'
import { describeEvent } from '#server/integrations/outgoing-webhooks/describe-event.ts'
import { invoiceObjected } from '../mail/invoice-objected.ts'
import { openObjections } from './open-objections.ts'

export const objections = feature({
  attention: [openObjections],
  mails: { 'invoice-objected': invoiceObjected },
  messages: [
    describeEvent('invoice.objected', ({ number, partnerName }) => ({
      facts: [
        ['Invoice', number],
        ['Partner', partnerName],
      ],
      screen: '/payouts?tab=invoices&objection=open',
    })),
  ],
})
