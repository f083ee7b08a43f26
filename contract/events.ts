import { z } from 'zod'
import { Lead } from './leads.ts'
import { LinkBlueprint } from './links.ts'
import { Partner } from './partners.ts'
import { Connection } from './payment-providers.ts'
import { Payout } from './payouts.ts'
import { Entry, Sale } from './sales.ts'
import { Id, Instant } from './values.ts'

/** A partner without the owner's own words, which are for no other system either. */
const PartnerTold = Partner.omit({ note: true }).meta({ id: 'PartnerTold' })

/** Whether a partner's payout details are there, and since when; never what they are. */
const PayoutDetailsState = z
  .strictObject({ partnerId: Id, enabled: z.boolean(), updatedAt: Instant })
  .meta({ id: 'PayoutDetailsState' })

/**
 * What other systems learn of, each with the object it happened to as it was right afterwards; of what was deleted, as it
 * was last (product.md, section 6). An account's owner may read all of it.
 */
export const publicEvents = {
  'lead.created': Lead,
  'lead.updated': Lead,
  'lead.status-changed': Lead,
  'lead.reassigned': Lead,
  'lead.deleted': Lead,
  'sale.created': Sale,
  'sale.updated': Sale,
  'sale.refunded': Sale,
  'sale.disputed': Sale,
  'sale.dispute-closed': Sale,
  'sale.voided': Sale,
  'commission.created': Entry,
  'commission.reversed': Entry,
  'commission.due': Entry,
  'commission.paid': Entry,
  'payout.due': Payout,
  'payout.approved': Payout,
  'payout.awaiting-funding': Payout,
  'payout.sent': Payout,
  'payout.paid': Payout,
  'payout.failed': Payout,
  'payout.returned': Payout,
  'payout.canceled': Payout,
  'partner.created': PartnerTold,
  'partner.updated': PartnerTold,
  'partner.invitation-sent': PartnerTold,
  'partner.invitation-accepted': PartnerTold,
  'partner.payout-settings-updated': PayoutDetailsState,
  'partner.deleted': PartnerTold,
  'link-blueprint.created': LinkBlueprint,
  'link-blueprint.updated': LinkBlueprint,
  'link-blueprint.deleted': LinkBlueprint,
  'payment-provider.connected': Connection,
  'payment-provider.disconnected': Connection,
  'payment-provider.unhealthy': Connection,
} as const satisfies Record<string, z.ZodType>

export type PublicEvent = keyof typeof publicEvents
/** The object that an event of this type carries. */
export type EventObject<T extends PublicEvent> = z.output<(typeof publicEvents)[T]>

/** What the activity of an account or of the install keeps beside the public events, and what each is about. */
export const recordedEvents = {
  'account.created': 'account',
  'account.updated': 'account',
  'account.enabled': 'account',
  'account.disabled': 'account',
  'account.api-key-renewed': 'account',
  'account.auto-payouts-updated': 'account',
  'account.owner-assigned': 'account',
  'exchange-rate.entered': 'account',
  'role.granted': 'user',
  'role.removed': 'user',
  'sign-in': 'user',
  'sign-in.by-link': 'user',
  'password.set-up': 'user',
  'password.changed': 'user',
  'password.reset': 'user',
  'session.ended-for-reuse': 'session',
  'invitation.revoked': 'partner',
  'invitation.changed': 'partner',
  'partner.adjusted': 'partner',
  'partner.noted': 'partner',
  'lead.registered-again': 'lead',
  'lead.noted': 'lead',
  'embed-code.updated': 'embed-code',
  'payment-provider.credentials-replaced': 'payment-provider',
  'payment-provider.webhook-secret-changed': 'payment-provider',
  'payout.processing': 'payout',
  'payout.stepped-back': 'payout',
  'payout.retried': 'payout',
  'payout.set-back': 'payout',
  'payout.cancel-asked': 'payout',
  'payout.entries-released': 'payout',
} as const

export type RecordedEvent = keyof typeof recordedEvents

/** Fields that changed, each with what it was and what it is. */
export type Changes = Record<string, { old: unknown; new: unknown }>
