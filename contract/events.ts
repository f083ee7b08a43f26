import { z } from 'zod'
import * as features from '#features/index.contract.ts'
import { Application } from './applications.ts'
import { CommissionEntry } from './commissions.ts'
import { detailKinds } from './detail-kinds.ts'
import type { Events } from './feature-parts.ts'
import { Group } from './groups.ts'
import { Invoice } from './invoices.ts'
import { Lead } from './leads.ts'
import { LinkBlueprint, PartnerLink } from './links.ts'
import { mergeParts } from './merge-parts.ts'
import { Acceptance, Partner, TaxFormOnFile, taxFormKinds } from './partners.ts'
import { PaymentFile } from './payment-files.ts'
import { ProviderConnection } from './payment-providers.ts'
import { Payout } from './payouts.ts'
import { Sale } from './sales.ts'
import { DateOnly, Id, Instant } from './values.ts'

/** A partner as events contain it: the owner's note and digits of tax numbers go to no other system. */
const PartnerSnapshot = Partner.omit({ note: true })
  .extend({ taxForm: TaxFormOnFile.omit({ tinLast4: true }).meta({ id: 'TaxFormSnapshot' }).nullable() })
  .meta({ id: 'PartnerSnapshot' })

const PartnerLinkSnapshot = PartnerLink.extend({ partnerId: Id }).meta({ id: 'PartnerLinkSnapshot' })

/** Whether a partner's payout details exist and since when; never the details. */
const PayoutDetailsState = z
  .strictObject({ partnerId: Id, enabled: z.boolean(), kind: z.enum(detailKinds).nullable(), updatedAt: Instant })
  .meta({ id: 'PayoutDetailsState' })

/** The kind and day of a tax form that a partner signed; never the form. */
const SignedTaxForm = z
  .strictObject({ partnerId: Id, kind: z.enum(taxFormKinds), receivedOn: DateOnly })
  .meta({ id: 'SignedTaxForm' })

/** An acceptance as events contain it: without its person. */
const AcceptanceSnapshot = Acceptance.omit({ name: true, email: true, network: true }).meta({
  id: 'AcceptanceSnapshot',
})

/** The partner's id in the owner's own system, beside their Tributary id. */
const ofPartner = { partnerExternalId: z.string().nullable() }

const EntrySnapshot = CommissionEntry.extend(ofPartner).meta({ id: 'CommissionSnapshot' })
const PayoutSnapshot = Payout.extend(ofPartner).meta({ id: 'PayoutSnapshot' })

const eventsOfFeatures = mergeParts(features, 'events')
type OfFeatures = typeof eventsOfFeatures

const pick = <Field extends keyof Events[string]>(field: Field) =>
  Object.fromEntries(Object.entries(eventsOfFeatures).map(([type, event]) => [type, event[field]])) as {
    [Type in keyof OfFeatures]: OfFeatures[Type][Field]
  }
const objectsOfFeatures = pick('object')
const descriptionsOfFeatures = pick('description')

/**
 * Events for other systems, each with its object as it was right afterwards, a deleted object as it was last
 * (product.md, section 6). An account's owner may read all of them.
 */
export const publicEvents = {
  'lead.created': Lead,
  'lead.updated': Lead,
  'lead.status-changed': Lead,
  'lead.reassigned': Lead,
  'lead.deleted': Lead,
  'lead.erased': Lead,
  'sale.created': Sale,
  'sale.updated': Sale,
  'sale.refunded': Sale,
  'sale.disputed': Sale,
  'sale.dispute-closed': Sale,
  'sale.voided': Sale,
  ...objectsOfFeatures,
  'commission.created': EntrySnapshot,
  'commission.reversed': EntrySnapshot,
  'commission.due': EntrySnapshot,
  'commission.paid': EntrySnapshot,
  'payout.due': PayoutSnapshot,
  'payout.approved': PayoutSnapshot,
  'payout.awaiting-funding': PayoutSnapshot,
  'payout.sent': PayoutSnapshot,
  'payout.paid': PayoutSnapshot,
  'payout.failed': PayoutSnapshot,
  'payout.returned': PayoutSnapshot,
  'payout.canceled': PayoutSnapshot,
  'payment-file.created': PaymentFile,
  'invoice.issued': Invoice,
  'invoice.credited': Invoice,
  'partner.created': PartnerSnapshot,
  'partner.updated': PartnerSnapshot,
  'partner.invitation-sent': PartnerSnapshot,
  'partner.invitation-accepted': PartnerSnapshot,
  'partner.payout-settings-updated': PayoutDetailsState,
  'partner.tax-form-updated': SignedTaxForm,
  'partner.link-created': PartnerLinkSnapshot,
  'partner.agreement-accepted': AcceptanceSnapshot,
  'partner.deleted': PartnerSnapshot,
  'partner.erased': PartnerSnapshot,
  'application.received': Application,
  'application.approved': Application,
  'application.rejected': Application,
  'group.created': Group,
  'group.updated': Group,
  'group.deleted': Group,
  'link-blueprint.created': LinkBlueprint,
  'link-blueprint.updated': LinkBlueprint,
  'link-blueprint.deleted': LinkBlueprint,
  'payment-provider.connected': ProviderConnection,
  'payment-provider.disconnected': ProviderConnection,
  'payment-provider.unhealthy': ProviderConnection,
} as const satisfies Record<string, z.ZodObject>

export type PublicEvent = keyof typeof publicEvents

/** Keys of `changes` beside the fields of the object, by kind of event. */
const changedBeside: Partial<Record<string, readonly string[]>> = {
  lead: ['reason'],
  sale: ['reason', 'heldUntil'],
  partner: ['reason', 'subPartners', 'balance', 'accountLast4'],
  payout: ['reason'],
  group: ['terms'],
  'payment-provider': ['reason'],
}

/** The keys that `changes` of an event may have. */
export const keysOfChanges: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(publicEvents).map(([type, { shape }]) => [
    type,
    new Set([...Object.keys(shape), ...(changedBeside[type.split('.')[0]!] ?? [])]),
  ]),
)

/** Each event's description, for choosing among them. */
export const eventDescriptions: Record<PublicEvent, string> = {
  'lead.created': 'A lead was created.',
  'lead.updated': 'Details of a lead changed.',
  'lead.status-changed': 'The status of a lead changed.',
  'lead.reassigned': 'A lead was moved to another partner.',
  'lead.deleted': 'A lead was deleted.',
  'lead.erased': 'A lead’s person was erased. Please erase them too.',
  'sale.created': 'A sale was recorded.',
  'sale.updated': 'Details or amounts of a sale changed.',
  'sale.refunded': 'A sale was refunded in part or in full.',
  'sale.disputed': 'A customer disputed a payment.',
  'sale.dispute-closed': 'A dispute was won or lost.',
  'sale.voided': 'A sale was voided.',
  ...descriptionsOfFeatures,
  'commission.created': 'A partner earned a commission.',
  'commission.reversed': 'A commission was reversed in part or in full.',
  'commission.due': 'A commission became due.',
  'commission.paid': 'A commission was paid out.',
  'payout.due': 'A payout became due.',
  'payout.approved': 'A payout was approved.',
  'payout.awaiting-funding': 'A payout waits for funds.',
  'payout.sent': 'A payout was sent.',
  'payout.paid': 'A payout reached the partner.',
  'payout.failed': 'A payout failed.',
  'payout.returned': 'A payout was returned by the bank.',
  'payout.canceled': 'A payout was canceled.',
  'payment-file.created': 'A payment file was made.',
  'invoice.issued': 'An invoice was issued for a payout.',
  'invoice.credited': 'A credit note took back an invoice: its payout was returned, or it was corrected.',
  'partner.created': 'A partner was added.',
  'partner.updated': 'Details of a partner changed.',
  'partner.invitation-sent': 'An invitation was sent to a partner.',
  'partner.invitation-accepted': 'A partner accepted their invitation.',
  'partner.payout-settings-updated': 'A partner changed their payout details. Bank details are never included.',
  'partner.tax-form-updated': 'A partner signed a tax form. Only its kind and day are included.',
  'partner.link-created': 'A partner got a link of their own.',
  'partner.agreement-accepted': 'A partner accepted a version of the partner agreement.',
  'partner.deleted': 'A partner was deleted.',
  'partner.erased': 'A partner’s person was erased. Please erase them too.',
  'application.received': 'An application to become a partner waits for a decision.',
  'application.approved': 'An application was approved, and its partner created.',
  'application.rejected': 'An application was rejected.',
  'group.created': 'A group of partners was created.',
  'group.updated': 'A group of partners was renamed.',
  'group.deleted': 'A group of partners was deleted.',
  'link-blueprint.created': 'A link was created.',
  'link-blueprint.updated': 'A link changed.',
  'link-blueprint.deleted': 'A link was deleted.',
  'payment-provider.connected': 'A payment provider was connected.',
  'payment-provider.disconnected': 'A payment provider was disconnected.',
  'payment-provider.unhealthy': 'A payment provider needs attention.',
}

/** The object in an event of this type. */
export type EventObject<T extends PublicEvent> = z.output<(typeof publicEvents)[T]>

/**
 * Actions recorded in the activity of an account or the install beyond the public events, each with its kind of object.
 */
export const recordedEvents = {
  ...mergeParts(features, 'recordedEvents'),
  'account.created': 'account',
  'account.updated': 'account',
  'account.enabled': 'account',
  'account.disabled': 'account',
  'account.api-key-renewed': 'account',
  'account.brand-updated': 'account',
  'account.email-text-saved': 'account',
  'account.email-text-reset': 'account',
  'account.email-sender-changed': 'account',
  'account.fraud-rules-updated': 'account',
  'account.exported': 'account',
  'account.imported': 'account',
  'account.auto-payouts-updated': 'account',
  'payout-method.connected': 'account',
  'payout-method.removed': 'account',
  'payout-method.reordered': 'account',
  'account.payout-numbers-skipped': 'account',
  'account.payouts-paused': 'account',
  'account.payouts-resumed': 'account',
  'account.transfer-dismissed': 'account',
  'account.owner-assigned': 'account',
  'list.downloaded': 'account',
  'import.started': 'import',
  'import.canceled': 'import',
  'import.undone': 'import',
  'exchange-rate.entered': 'account',
  'terms.saved': 'account',
  'program.saved': 'account',
  'invoicing.changed': 'account',
  'invoice.corrected': 'invoice',
  'agreement.published': 'account',
  'agreement.translated': 'account',
  'agreement.required-from-changed': 'account',
  'role.granted': 'user',
  'role.changed': 'user',
  'role.removed': 'user',
  'sign-in': 'user',
  'sign-in.by-link': 'user',
  'sign-in.by-passkey': 'user',
  'sign-in.by-oidc': 'user',
  'oidc.linked': 'user',
  'second-factor.added': 'user',
  'second-factor.removed': 'user',
  'second-factor.reset': 'user',
  'recovery-codes.renewed': 'user',
  'recovery-code.used': 'user',
  'password.set-up': 'user',
  'password.changed': 'user',
  'password.reset': 'user',
  'password.reset-link-made': 'user',
  'administrator.invited': 'user',
  'invitation.link-made': 'user',
  'session.ended-for-reuse': 'session',
  'user-token.created': 'user-token',
  'user-token.deleted': 'user-token',
  'invitation.revoked': 'partner',
  'invitation.changed': 'partner',
  'partner.adjusted': 'partner',
  'partner.noted': 'partner',
  'partner.moved': 'partner',
  'goal.saved': 'group',
  'goal.deleted': 'group',
  'partner.reminded': 'partner',
  'partner.invoice-details-updated': 'partner',
  'partner.portal-opened': 'partner',
  'partner.link-updated': 'partner',
  'partner.link-deleted': 'partner',
  'lead.registered-again': 'lead',
  'lead.noted': 'lead',
  'person.exported': 'lead',
  'erasure.asked': 'lead',
  'erasure.done': 'lead',
  'outgoing-webhook.created': 'outgoing-webhook',
  'outgoing-webhook.updated': 'outgoing-webhook',
  'outgoing-webhook.secret-rotated': 'outgoing-webhook',
  'outgoing-webhook.deleted': 'outgoing-webhook',
  'incoming-webhook.created': 'incoming-webhook',
  'incoming-webhook.updated': 'incoming-webhook',
  'incoming-webhook.url-rotated': 'incoming-webhook',
  'incoming-webhook.deleted': 'incoming-webhook',
  'payment-file.downloaded': 'payment-file',
  'payment-provider.credentials-replaced': 'payment-provider',
  'payment-provider.webhook-secret-changed': 'payment-provider',
  'payment-provider.code-rule-saved': 'payment-provider',
  'payout.first-approval': 'payout',
  'payout.processing': 'payout',
  'payout.stepped-back': 'payout',
  'payout.imported': 'payout',
  'payout.taken-back': 'payout',
  'payout.recovered': 'payout',
  'payout.retried': 'payout',
  'payout.set-back': 'payout',
  'payout.cancel-asked': 'payout',
  'payout.entries-released': 'payout',
  'system.backup-requested': 'system',
  'system.retried': 'system',
} as const

export type RecordedEvent = keyof typeof recordedEvents

/** Changed fields with their old and new values. */
export type Changes = Record<string, { old: unknown; new: unknown }>
