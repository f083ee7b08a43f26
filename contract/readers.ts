import type { z } from 'zod'
import * as features from '#features/index.contract.ts'
import { Account, AccountWithStats } from './accounts.ts'
import { Agreement, AgreementVersion } from './agreement.ts'
import { DecidedApplication } from './applications.ts'
import { Invitation } from './auth.ts'
import { Payday } from './balances.ts'
import { CommissionEntry, ListedEntry } from './commissions.ts'
import {
  adminAlone,
  ancestorAndPortal,
  everyoneInLine,
  owner,
  ownerAlone,
  ownerAndAdmin,
  ownerAndAncestor,
  ownerAndManager,
  ownerAndPartner,
  ownerAndPartnersOwner,
  ownerAndPartnersPeople,
  ownerManagerAndPartner,
  ownersAlone,
  ownersAndAdmins,
  partnerAlone,
  peopleInLine,
  type Readers,
  readableBy,
} from './field-readers.ts'
import { ImportedInvitation } from './imports.ts'
import { IncomingWebhook } from './incoming-webhooks.ts'
import { Lead } from './leads.ts'
import { Member, PartnerMember } from './members.ts'
import { listParts } from './merge-parts.ts'
import { Acceptance, ownersTexts, Partner, PartnerPushResult, partnerTexts, TaxFormOnFile } from './partners.ts'
import { Payout, PayoutDestination, PayoutStatement } from './payouts.ts'
import { CommissionEntryWithSale, ListedSale, ReceiptPayout, Refund, Sale } from './sales.ts'
import { TermsState } from './terms.ts'
import { eachField } from './values.ts'

/** Objects with fields that not every reader gets. */
export const restrictedReaders = new Map<z.ZodType, Readers>()

for (const [schema, readers] of listParts(features, 'readers')) restrictedReaders.set(schema, readers)

/** Sets the readers of each field of an object. */
const decide = <Shape extends z.ZodRawShape>(...declared: Parameters<typeof readableBy<Shape>>) => {
  const [schema, readers] = readableBy(...declared)
  restrictedReaders.set(schema, readers)
  return declared[1]
}

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
    language: owner,
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
  noReward: ownerAndPartner,
  stats: ownerAndPartner,
  erasedAt: ownerAndPartner,
  createdAt: ownerAndPartner,
  updatedAt: ownerAndPartner,
})

decide(Acceptance, {
  partnerId: ownerAndPartner,
  version: ownerAndPartner,
  language: ownerAndPartner,
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
  language: ownerAndPartner,
  languages: ownerAndPartner,
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

const saleReaders = decide(Sale, {
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
decide(ListedSale, { ...saleReaders, likelyLead: owner })

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
  reward: ownerAndPartner,
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
  language: ownerAndAdmin,
  pageLanguages: ownerAndAdmin,
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
  hasCustomerGroups: ownerAndAdmin,
  disabledAt: ownerAndAdmin,
  disabledReason: ownerAndAdmin,
  createdAt: ownerAndAdmin,
  updatedAt: ownerAndAdmin,
})

decide(AccountWithStats, { ...account, stats: ownerAndAdmin })

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
