import type { z } from 'zod'
import { Account, AccountWithStats } from './accounts.ts'
import { Agreement, AgreementVersion } from './agreement.ts'
import { ApiKey, ApiKeyWithKey } from './api-keys.ts'
import { DecidedApplication } from './applications.ts'
import { Invitation } from './auth.ts'
import { Payday } from './balances.ts'
import { Claim, ClaimWithCandidates } from './claims.ts'
import { CommissionEntry, ListedEntry } from './commissions.ts'
import { ImportedInvitation } from './imports.ts'
import { IncomingWebhook } from './incoming-webhooks.ts'
import { Lead } from './leads.ts'
import { Member, PartnerMember } from './members.ts'
import { Acceptance, ownersTexts, Partner, PartnerPushResult, partnerTexts, TaxFormOnFile } from './partners.ts'
import { Payout, PayoutDestination, PayoutStatement } from './payouts.ts'
import { CommissionEntryWithSale, ReceiptPayout, Refund, Sale } from './sales.ts'
import { TaxFormState } from './tax-forms.ts'
import { TermsState } from './terms.ts'
import { eachField } from './values.ts'

/**
 * The reader of an answer: an owner, the partner, a partner above them, an administrator; or a program reading for an
 * owner or an administrator (`key`), which reads all they do except what would let it do more: keys, sign-in links.
 * Finance reads like a program, a viewer also without bank details, a manager like a viewer and what they may change.
 * Members of a partner (`partner-member`) read what its owners do except where the money goes; a portal session reads
 * what they do except the partner's e-mail, which the user of the embedding application may not own.
 */
export type Reader =
  | 'owner'
  | 'manager'
  | 'viewer'
  | 'partner'
  | 'partner-member'
  | 'portal'
  | 'ancestor'
  | 'admin'
  | 'key'

/** The readers of each field. If the object is itself a partner (`self`), people of any other read it as an ancestor. */
export type Readers = { fields: Record<string, readonly Reader[]>; self: string | undefined }

/** Objects with fields that not every reader gets. */
export const restrictedReaders = new Map<z.ZodType, Readers>()

/**
 * Sets the readers of each field of an object; a field without a line does not compile. A field hidden from a reader is
 * left out if optional, else null, else empty. A reader named in no line never gets the object.
 */
const decide = <Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  fields: { [Field in keyof Shape]: readonly Reader[] },
  self?: keyof Shape & string,
) => {
  restrictedReaders.set(schema, { fields, self })
  return fields
}

const ownerAlone = ['owner'] as const
const adminAlone = ['admin'] as const
const owner = ['owner', 'manager', 'viewer', 'key'] as const
const ownerAndManager = ['owner', 'manager'] as const
const ownerAndAdmin = ['owner', 'manager', 'viewer', 'admin', 'key'] as const
const ownersAndAdmins = ['owner', 'admin'] as const
const partnerAlone = ['partner'] as const
const ownerAndPartner = ['owner', 'manager', 'viewer', 'partner', 'partner-member', 'portal', 'key'] as const
/** The readers of bank details and tax forms. */
const ownerAndPartnersOwner = ['owner', 'partner', 'key'] as const
/** The owners of the account and of the partner, in person. */
const ownersAlone = ['owner', 'partner'] as const
/** Whether this reader of an account gets the digits of its partners' bank accounts. */
export const readsBankDetails = (reader: Reader | null) =>
  (ownerAndPartnersOwner as readonly (Reader | null)[]).includes(reader)

/** The readers of a partner's people. */
const ownerManagerAndPartner = ['owner', 'manager', 'partner', 'partner-member'] as const
const ownerAndAncestor = ['owner', 'manager', 'viewer', 'ancestor', 'key'] as const
const ancestorAndPortal = [...ownerAndAncestor, 'portal'] as const
const ownerAndPartnersPeople = ['owner', 'manager', 'viewer', 'partner', 'partner-member', 'key'] as const
const peopleInLine = ['owner', 'manager', 'viewer', 'partner', 'partner-member', 'ancestor', 'key'] as const
const everyoneInLine = [...peopleInLine, 'portal'] as const

decide(
  Partner,
  {
    id: everyoneInLine,
    accountId: everyoneInLine,
    parentPartnerId: everyoneInLine,
    ...eachField(partnerTexts, everyoneInLine),
    displayName: everyoneInLine,
    email: peopleInLine,
    ...eachField(ownersTexts, owner),
    externalId: owner,
    referralCode: everyoneInLine,
    earlierCodes: owner,
    commissionSettings: ownerAndPartner,
    effectiveCommissionSettings: ownerAndPartner,
    groupId: owner,
    groupName: owner,
    keepInGroup: owner,
    agreementVersion: ownerAndPartner,
    approvedPayoutYears: ownerAndPartner,
    approvedForPayouts: ownerAndPartner,
    state: everyoneInLine,
    invitationStatus: everyoneInLine,
    balanceDue: ownerAndPartner,
    erasedAt: everyoneInLine,
    taxForm: owner,
    payoutMethod: owner,
    stats: everyoneInLine,
    createdAt: everyoneInLine,
    updatedAt: everyoneInLine,
  },
  'id',
)

// within a partner, whose own decision hides it from all but the account; a program gets no digit of a tax number
decide(TaxFormOnFile, {
  kind: everyoneInLine,
  receivedOn: everyoneInLine,
  source: everyoneInLine,
  tinLast4: ownerAlone,
})

decide(TaxFormState, eachField(TaxFormState.shape, ownerAndPartnersOwner))

decide(Claim, {
  id: ownerAndPartner,
  accountId: ownerAndPartner,
  partnerId: ownerAndPartner,
  partnerName: ownerAndPartner,
  orderId: ownerAndPartner,
  email: ownerAndPartner,
  day: ownerAndPartner,
  note: ownerAndPartner,
  state: ownerAndPartner,
  reason: ownerAndPartner,
  credited: owner,
  saleId: owner,
  leadId: owner,
  leadName: owner,
  createdAt: ownerAndPartner,
  decidedAt: ownerAndPartner,
  decidedBy: owner,
})
decide(ClaimWithCandidates, eachField(ClaimWithCandidates.shape, owner))

decide(Lead, {
  id: ownerAndPartner,
  accountId: ownerAndPartner,
  partnerId: ownerAndPartner,
  partnerName: ownerAndPartner,
  blueprintId: ownerAndPartner,
  clickId: ownerAndPartner,
  linkId: ownerAndPartner,
  linkName: ownerAndPartner,
  subId: ownerAndPartner,
  firstName: ownerAndPartner,
  lastName: ownerAndPartner,
  displayName: ownerAndPartner,
  email: ownerAndPartner,
  phone: ownerAndPartner,
  company: ownerAndPartner,
  externalId: owner,
  source: ownerAndPartner,
  status: ownerAndPartner,
  statusReason: owner,
  sharedNote: ownerAndPartner,
  protectedUntil: ownerAndPartner,
  landingUrl: owner,
  referrer: owner,
  country: owner,
  metadata: owner,
  // the first lead of a duplicate is another partner's
  duplicateOfId: owner,
  attribution: ownerAndPartner,
  selfReferral: owner,
  stats: ownerAndPartner,
  erasedAt: ownerAndPartner,
  createdAt: ownerAndPartner,
  updatedAt: ownerAndPartner,
})

decide(Acceptance, {
  partnerId: ownerAndPartner,
  version: ownerAndPartner,
  textHash: ownerAndPartner,
  at: ownerAndPartner,
  through: ownerAndPartner,
  userId: ownerAndPartnersPeople,
  name: ownerAndPartnersPeople,
  email: ownerAndPartnersPeople,
  network: ownerAndPartnersPeople,
})

const agreementVersion = decide(AgreementVersion, {
  version: ownerAndPartner,
  textHash: ownerAndPartner,
  changes: ownerAndPartner,
  requiredFrom: ownerAndPartner,
  publishedAt: ownerAndPartner,
  publishedBy: owner,
  accepted: owner,
  waiting: owner,
  acceptance: ownerAndPartner,
})

decide(Agreement, { ...agreementVersion, text: ownerAndPartner })

decide(TermsState, {
  own: owner,
  version: owner,
  appliesTo: owner,
  savedAt: owner,
  savedBy: owner,
  note: owner,
  inForce: ownerAndPartner,
  // a partner's page has it as a sentence
  olderCustomersDiffer: ownerAndPartner,
})

decide(Sale, {
  id: ownerAndPartner,
  accountId: ownerAndPartner,
  leadId: ownerAndPartner,
  leadName: ownerAndPartner,
  partnerId: ownerAndPartner,
  partnerName: ownerAndPartner,
  provider: ownerAndPartner,
  externalId: owner,
  amount: ownerAndPartner,
  grossAmount: ownerAndPartner,
  taxAmount: ownerAndPartner,
  currency: ownerAndPartner,
  accountAmount: ownerAndPartner,
  accountCurrency: ownerAndPartner,
  fxRate: ownerAndPartner,
  fxDate: ownerAndPartner,
  saleDate: ownerAndPartner,
  description: owner,
  subscriptionId: owner,
  sequence: ownerAndPartner,
  refundedAmount: ownerAndPartner,
  status: ownerAndPartner,
  matchedBy: ownerAndPartner,
  livemode: ownerAndPartner,
  payerEmail: owner,
  providerCustomerId: owner,
  providerUrl: owner,
  country: owner,
  promotionCodes: owner,
  lines: ownerAndPartner,
  hold: owner,
  voidReason: owner,
  commissions: ownerAndPartner,
  refunds: ownerAndPartner,
  createdAt: ownerAndPartner,
})

decide(Refund, {
  id: ownerAndPartner,
  kind: ownerAndPartner,
  amount: ownerAndPartner,
  externalId: owner,
  status: ownerAndPartner,
  reason: owner,
  lines: ownerAndPartner,
  at: ownerAndPartner,
})

const entry = decide(CommissionEntry, {
  id: ownerAndPartner,
  saleId: ownerAndPartner,
  leadId: ownerAndPartner,
  paidFor: ownerAndPartner,
  goalId: ownerAndPartner,
  refundId: ownerAndPartner,
  partnerId: ownerAndPartner,
  partnerName: ownerAndPartner,
  layer: ownerAndPartner,
  rate: ownerAndPartner,
  flat: ownerAndPartner,
  rule: ownerAndPartner,
  baseAmount: ownerAndPartner,
  amount: ownerAndPartner,
  currency: ownerAndPartner,
  kind: ownerAndPartner,
  status: ownerAndPartner,
  availableAt: ownerAndPartner,
  payoutId: ownerAndPartner,
  reason: ownerAndPartner,
  createdAt: ownerAndPartner,
})

const listedEntry = { ...entry, linkId: ownerAndPartner, subId: ownerAndPartner }
decide(ListedEntry, listedEntry)

decide(CommissionEntryWithSale, {
  ...listedEntry,
  saleDate: ownerAndPartner,
  saleDescription: owner,
  lead: ownerAndPartner,
  refund: ownerAndPartner,
  hold: ownerAndPartner,
})

decide(Payout, {
  id: ownerAndPartner,
  accountId: ownerAndPartner,
  partnerId: ownerAndPartner,
  partnerName: ownerAndPartner,
  amount: ownerAndPartner,
  taxAmount: ownerAndPartner,
  payAmount: ownerAndPartner,
  invoiceNumber: ownerAndPartner,
  currency: ownerAndPartner,
  status: ownerAndPartner,
  method: ownerAndPartner,
  blockers: ownerAndPartner,
  periodStart: ownerAndPartner,
  periodEnd: ownerAndPartner,
  scheduledFor: ownerAndPartner,
  approvedAt: ownerAndPartner,
  approvedBy: owner,
  firstApproval: owner,
  sentAt: ownerAndPartner,
  paidAt: ownerAndPartner,
  paidOn: ownerAndPartner,
  failureReason: ownerAndPartner,
  externalReference: ownerAndPartner,
  statementNumber: ownerAndPartner,
  detailsVersion: owner,
  destination: ownerAndPartner,
  payee: ownerAndPartner,
  claimBy: ownerAndPartner,
  nameCheck: ownerAndPartner,
  paymentFile: owner,
  attempts: owner,
  createdAt: ownerAndPartner,
  updatedAt: ownerAndPartner,
})

decide(PayoutDestination, {
  kind: ownerAndPartner,
  country: ownerAndPartner,
  currency: ownerAndPartner,
  hint: ownersAlone,
})

decide(ReceiptPayout, {
  id: ownerAndPartner,
  number: ownerAndPartner,
  status: ownerAndPartner,
  paidAt: ownerAndPartner,
  destination: ownerAndPartnersOwner,
})

decide(PayoutStatement, {
  payout: ownerAndPartner,
  accountName: ownerAndPartner,
  timeZone: ownerAndPartner,
  destination: ownerAndPartnersOwner,
  numberOfEntries: ownerAndPartner,
  sums: ownerAndPartner,
})

decide(Payday, {
  date: ownerAndPartner,
  amount: ownerAndPartner,
  count: ownerAndPartner,
  destination: partnerAlone,
})

// partners get AccountForPartner instead
const account = decide(Account, {
  id: ownerAndAdmin,
  name: ownerAndAdmin,
  displayName: ownerAndAdmin,
  publicId: ownerAndAdmin,
  apiKey: ownerAlone,
  defaultCurrency: ownerAndAdmin,
  defaultCommissionSettings: ownerAndAdmin,
  invitationsFromPartners: ownerAndAdmin,
  autoPayoutsEnabled: ownerAndAdmin,
  payoutDelay: ownerAndAdmin,
  minimumPayout: ownerAndAdmin,
  paydays: ownerAndAdmin,
  timeZone: ownerAndAdmin,
  leadProtectionDays: ownerAndAdmin,
  oldLinkParameters: ownerAndAdmin,
  attributionModel: ownerAndAdmin,
  attributionOrder: ownerAndAdmin,
  returningCustomers: ownerAndAdmin,
  partnerVisibility: ownerAndAdmin,
  partnerLeadSubmission: ownerAndAdmin,
  recurringMonths: ownerAndAdmin,
  selfReferralPolicy: ownerAndAdmin,
  requireSecondFactor: ownerAndAdmin,
  retention: ownerAndAdmin,
  owner: ownerAndAdmin,
  ownerInvitation: adminAlone,
  supportEmail: ownerAndAdmin,
  host: ownerAndAdmin,
  disabledAt: ownerAndAdmin,
  disabledReason: ownerAndAdmin,
  createdAt: ownerAndAdmin,
  updatedAt: ownerAndAdmin,
})

decide(AccountWithStats, { ...account, stats: ownerAndAdmin })

decide(ApiKey, {
  id: owner,
  name: owner,
  rights: owner,
  lastFour: owner,
  lastUsedAt: owner,
  createdAt: owner,
  expiresAt: owner,
  replacedBy: owner,
  createdBy: ownerAlone,
})

decide(ApiKeyWithKey, eachField(ApiKeyWithKey.shape, ownerAlone))

decide(Invitation, {
  status: ancestorAndPortal,
  sentAt: ancestorAndPortal,
  expiresAt: ancestorAndPortal,
  acceptedAt: ancestorAndPortal,
  sendCount: ancestorAndPortal,
  lastError: ownerAndAncestor,
  mailed: ancestorAndPortal,
  url: ownerAlone,
})

// a reader of the link could become the partner
decide(PartnerPushResult, { ...eachField(PartnerPushResult.shape, owner), invitationUrl: ownerAlone })
decide(DecidedApplication, { ...eachField(DecidedApplication.shape, owner), invitationUrl: ownerAlone })

decide(ImportedInvitation, {
  partnerId: owner,
  displayName: owner,
  email: owner,
  url: ownerAlone,
})

decide(IncomingWebhook, {
  id: owner,
  accountId: owner,
  name: owner,
  target: owner,
  // anyone with the URL may send data that becomes leads and sales
  url: ownerAndManager,
  state: owner,
  enabled: owner,
  auth: owner,
  mapping: owner,
  partnerMatch: owner,
  filters: owner,
  rules: owner,
  dedupePath: owner,
  allowedIps: owner,
  sample: owner,
  guesses: owner,
  guessesByRule: owner,
  questionsByRule: owner,
  sender: owner,
  lastReceivedAt: owner,
  lastPingAt: owner,
  attention: owner,
  counts: owner,
  createdAt: owner,
  updatedAt: owner,
})

decide(Member, {
  userId: ownerAndAdmin,
  email: ownerAndAdmin,
  firstName: ownerAndAdmin,
  lastName: ownerAndAdmin,
  role: ownerAndAdmin,
  status: ownerAndAdmin,
  secondFactor: ownersAndAdmins,
  lastSeenOn: ownersAndAdmins,
  joinedAt: ownerAndAdmin,
  invitedBy: ownerAndAdmin,
  expiresAt: ownerAndAdmin,
  url: ownerAlone,
})

decide(PartnerMember, {
  userId: ownerManagerAndPartner,
  email: ownerManagerAndPartner,
  firstName: ownerManagerAndPartner,
  lastName: ownerManagerAndPartner,
  role: ownerManagerAndPartner,
  status: ownerManagerAndPartner,
  secondFactor: ownerManagerAndPartner,
  lastSeenOn: ownerManagerAndPartner,
  joinedAt: ownerManagerAndPartner,
  invitedBy: ownerManagerAndPartner,
  expiresAt: ownerManagerAndPartner,
  url: ownerAlone,
})
