import * as features from '#features/index.examples.ts'
import type { EventObject, PublicEvent } from '../events.ts'
import { mergeParts } from '../merge-parts.ts'
import { acceptanceTold } from './agreement.ts'
import { application, approvedApplication, rejectedApplication } from './applications.ts'
import { invoice } from './invoices.ts'
import {
  blueprint,
  connection,
  entry,
  group,
  ids,
  lead,
  ownLink,
  partner,
  paymentFile,
  payout,
  refund,
  sale,
  subPartner,
} from './objects.ts'

const { note: _, ...told } = partner
const { note: __, ...subPartnerTold } = subPartner
const refunded: typeof sale = { ...sale, status: 'partially-refunded', refundedAmount: 99_80, refunds: [refund] }
const disputed = { ...sale, status: 'disputed' } as const
const paidEntry = { ...entry, status: 'paid', payoutId: ids.payout } as const
const approved = {
  ...payout,
  status: 'approved',
  approvedAt: '2026-08-26T09:15:00.250Z',
  approvedBy: 'Elena Marsh',
} as const
const sent = { ...approved, status: 'sent', sentAt: '2026-08-26T09:16:31.804Z' } as const

/** Each event's object as it was right afterwards. */
/** The partner's id in the owner's own system. */
const partnerExternalId = 'user_4821'

export const eventExamples: { [T in PublicEvent]: EventObject<T> } = {
  ...mergeParts(features, 'events'),
  'lead.created': { ...lead, status: 'new' },
  'lead.updated': lead,
  'lead.status-changed': lead,
  'lead.reassigned': { ...lead, partnerId: ids.subPartner, partnerName: 'Sam Ortiz' },
  'lead.deleted': lead,
  'lead.erased': {
    ...lead,
    firstName: null,
    lastName: null,
    email: null,
    phone: null,
    company: null,
    externalId: null,
    metadata: {},
    displayName: 'Erased lead 9a09',
    landingUrl: null,
    referrer: null,
    erasedAt: '2026-09-02T08:30:11.020Z',
  },
  'sale.created': sale,
  'sale.updated': sale,
  'sale.refunded': refunded,
  'sale.disputed': disputed,
  'sale.dispute-closed': sale,
  'sale.voided': { ...sale, status: 'void' },
  'commission.created': { ...entry, partnerExternalId },
  'commission.reversed': {
    ...entry,
    partnerExternalId,
    refundId: ids.refund,
    baseAmount: -99_80,
    amount: -19_96,
    kind: 'reversal',
  },
  'commission.due': { ...entry, partnerExternalId, status: 'due' },
  'commission.paid': { ...paidEntry, partnerExternalId },
  'payout.due': { ...payout, partnerExternalId },
  'payout.approved': { ...approved, partnerExternalId },
  'payout.awaiting-funding': { ...approved, partnerExternalId, status: 'awaiting-funding' },
  'payout.sent': { ...sent, partnerExternalId },
  'payout.paid': { ...sent, partnerExternalId, status: 'paid', paidAt: '2026-08-27T14:02:00.000Z' },
  'payout.failed': {
    ...approved,
    partnerExternalId,
    status: 'failed',
    failureReason: 'The bank account was not found',
  },
  'payout.returned': { ...sent, partnerExternalId, status: 'returned', failureReason: 'The bank returned the payment' },
  'payout.canceled': { ...payout, partnerExternalId, status: 'canceled' },
  'payment-file.created': paymentFile,
  'invoice.issued': invoice,
  'invoice.credited': { ...invoice, id: ids.creditNote, number: 'INV-121', kind: 'credit-note', credits: invoice.id },
  'partner.created': subPartnerTold,
  'partner.updated': told,
  'partner.invitation-sent': subPartnerTold,
  'partner.invitation-accepted': { ...subPartnerTold, state: 'active', invitationStatus: 'accepted' },
  'partner.payout-settings-updated': {
    partnerId: ids.partner,
    enabled: true,
    kind: 'us-bank',
    updatedAt: '2026-07-20T14:58:03.619Z',
  },
  'partner.tax-form-updated': { partnerId: ids.partner, kind: 'w-9', receivedOn: '2026-07-20' },
  'partner.link-created': { ...ownLink, clicks: 0, leads: 0, sales: 0, partnerId: ids.partner },
  'partner.agreement-accepted': acceptanceTold,
  'partner.deleted': subPartnerTold,
  'partner.erased': {
    ...subPartnerTold,
    firstName: 'Erased partner',
    lastName: 'b506',
    displayName: 'Erased partner b506',
    email: null,
    state: 'archived',
    erasedAt: '2026-09-02T08:30:11.020Z',
  },
  'application.received': application,
  'application.approved': approvedApplication,
  'application.rejected': rejectedApplication,
  'group.created': group,
  'group.updated': group,
  'group.deleted': group,
  'link-blueprint.created': blueprint,
  'link-blueprint.updated': blueprint,
  'link-blueprint.deleted': blueprint,
  'payment-provider.connected': connection,
  'payment-provider.disconnected': { ...connection, state: 'disconnected' },
  'payment-provider.unhealthy': { ...connection, state: 'attention', stateReason: 'Stripe refused the key' },
}
