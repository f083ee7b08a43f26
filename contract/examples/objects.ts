import type { Account } from '../accounts.ts'
import type { CurrentUser, Invitation, User } from '../auth.ts'
import type { PushedClick } from '../clicks.ts'
import type { CommissionEntry } from '../commissions.ts'
import type { Subject } from '../endpoint.ts'
import type { Goal, Group } from '../groups.ts'
import type { Lead } from '../leads.ts'
import type { LinkBlueprint, PartnerLink } from '../links.ts'
import type { Partner } from '../partners.ts'
import type { PaymentFile } from '../payment-files.ts'
import type { ProviderConnection } from '../payment-providers.ts'
import type { Payout } from '../payouts.ts'
import type { CommissionEntryWithSale, Refund, Sale } from '../sales.ts'
import type { Stats } from '../stats.ts'

// All examples tell one story: Acme sells seats; Jane Whitfield refers Brightline Dental, which buys and later returns
// a part; Sam Ortiz is her sub-partner.

export const ids = {
  account: '01983b2e-4c10-7a51-9d0e-5f2b8c6a1e01',
  owner: '01983b2e-4c12-7f06-8a44-21c9d07b3e02',
  member: '01987f02-6a10-7d24-9c51-0be83f7d6a31',
  partnersOwner: '01987f03-11b4-7e05-8d37-5b9a2f4c7e10',
  session: '01987f60-12aa-7c3b-b1d5-8e04f6a29c03',
  partner: '01983b41-9a07-7e92-8c35-d6f1b20a4e04',
  parentless: '01983b41-9a08-7d1c-a0f7-3b95e8c1d205',
  subPartner: '01983c55-0e3d-7b64-9f18-7a2cc4e0b506',
  group: '01983b43-2c17-7d80-a1e5-94c6f0b2d847',
  application: '01987e90-41d2-7b3a-8c57-e0f91a6d2b48',
  goal: '01983b43-5a80-7c1e-9b72-1f6d80c3ea55',
  blueprint: '01983b44-5d21-7099-8e6b-c0d3a1f47b07',
  click: '01987e01-77c4-7d55-92ab-14e9c8f06d08',
  lead: '01987e03-2b90-7a1f-8d77-f5b0e3c29a09',
  sale: '01987f10-6fe2-7c08-b3a4-90d81e5c7b10',
  pendingSale: '01987f11-0a44-7e3b-8c19-62f7d5a0be11',
  refund: '01988a22-b154-7f90-a6cd-3e17f8b40c12',
  entry: '01987f10-6fe5-7d2a-9b01-c84a2e6f5d13',
  payout: '0198a13c-8e07-7b16-84f2-d9a06b3ce714',
  paymentFile: '0198a13f-5b20-7c84-9e17-4a6d0f82b361',
  invoice: '0198a13f-4b22-7d60-8c91-3e0f7a5d2b64',
  creditNote: '0198a13f-9c40-7e12-a4d7-60b2f8c1e935',
  attempt: '0198a140-21fb-7c59-9aa3-5e8df0b17215',
  connection: '01983b60-cc18-7e47-b950-08fa1d6e3c16',
  outgoingWebhook: '01983b72-3340-7a8d-8f2e-b7c5096ad417',
  event: '01987f10-7003-7b9c-9e84-2ad0c61f8518',
  outgoingDelivery: '01987f10-7140-7c61-a2d7-f03b59e8c619',
  incomingWebhook: '01983b80-91d7-7f2c-8b06-4ce1a93df720',
  incomingDelivery: '01988002-4e6a-7d30-95bc-a18f7d2c0e21',
  providerEvent: '01988001-9d3b-7c14-a6f0-2b57e8d90a46',
  apiKey: '01983b91-7c22-7b3d-8f40-5d1e9a06c726',
  promotionCode: '01983b42-11b8-7c3f-8d04-5b9e7a21f629',
  userToken: '01983b93-18e4-7a6f-9b52-c07d4e81fa27',
  mail: '01987f10-7222-7c8e-a1b3-9e64d05f2c28',
  import: '0198a3d0-5a21-7c64-8f3e-2b7d90c1e429',
  asset: '01983b46-7d15-7c42-9e08-3fa6b2d1e547',
  announcement: '01983b47-2f60-7b18-a4c9-5d0e8f1b7a36',
  ownLink: '01983b45-2c90-7d14-8a3f-6b1e7d50c418',
  case: '0198b214-5d07-7c33-8a91-4b7e0d62f518',
  savedReport: '0198a3d5-2c41-7b3e-9d10-6a8f4e27c915',
  bulkAction: '0198a3d2-7f18-7a40-b1c6-3e5d9b2a8f35',
  erasure: '0198b1f0-3c52-7d18-9a47-6e0b85c2d341',
  auditRow: '01987f10-7010-7f8e-b27d-950ce4a1d324',
  parked: '0198a3d4-6b10-7e25-8c41-5f0a92d7b334',
}

/** The `:id` in a path of the examples, by subject. */
export const idBySubject = {
  account: ids.account,
  partner: ids.partner,
  group: ids.group,
  application: ids.application,
  goal: ids.goal,
  'link-blueprint': ids.blueprint,
  'partner-link': ids.ownLink,
  lead: ids.lead,
  sale: ids.sale,
  commission: ids.entry,
  payout: ids.payout,
  'payment-file': ids.paymentFile,
  invoice: ids.invoice,
  'outgoing-webhook': ids.outgoingWebhook,
  'incoming-webhook': ids.incomingWebhook,
  import: ids.import,
} satisfies Partial<Record<Subject, string>>

export const APP = 'https://partners.acme.example'
export const linkToken = '3nX8vQk2Zr5tYw9bLc4mHd7fJg1sPa6e'
export const setUpUrl = `${APP}/user-setup#token=${linkToken}`
export const session = {
  accessToken: 'gB7xKq2mVz9RwT4nHc6LdY1sPf8JaE3u',
  refreshToken: 'Zt5WnC8bXk3QvM7rJh2GyD9fLp4SaU6e',
}
export const restrictedKey = 'rk_live_51Kx9AcmeReadOnly'
export const wiseProfileId = '28450193'
export const connectionKey = 'p3Vx8Kd1Qz6Rw4Nb'
export const webhookAddress = 'https://crm.acme.example/hooks/tributary'
export const password = 'quiet-harbor-lantern-42'
export const apiKey = 'trib_5Jq8Zr2mXv7Kc4Wn9Tb3Hd6Ls1Pf0Ga'
export const incomingToken = 'u8Zr2mXv7Kc4Wn9Tb3Hd6Ls1Pf0GaQ5J'
export const incomingUrl = `${APP}/hooks/in/${incomingToken}`

/** Returns a list's answer with only these items. */
export const onlyPage = <T>(...items: T[]) => ({ items, nextCursor: null, total: items.length })

export const owner: User = {
  id: ids.owner,
  email: 'elena.marsh@acme.example',
  firstName: 'Elena',
  lastName: 'Marsh',
  roles: [{ type: 'account-owner', accountId: ids.account, accountName: 'Acme' }],
  createdAt: '2026-07-14T09:12:05.020Z',
  updatedAt: '2026-07-14T09:20:41.377Z',
}

export const me: CurrentUser = {
  ...owner,
  preferences: { theme: 'dark' },
  environment: 'production',
  secondFactor: 'off',
  appUrl: null,
}

export const account: Account = {
  id: ids.account,
  name: 'Acme',
  displayName: 'Acme',
  publicId: 'k7mQ2vXw9RtB',
  apiKey,
  defaultCurrency: 'usd',
  defaultCommissionSettings: { layerRates: [20, 5] },
  invitationsFromPartners: true,
  autoPayoutsEnabled: true,
  payoutDelay: 30,
  minimumPayout: 50_00,
  paydays: { every: 'day' },
  timeZone: 'America/New_York',
  leadProtectionDays: 90,
  attributionModel: 'last-touch',
  attributionOrder: 'click-first',
  language: 'en',
  pageLanguages: ['de', 'fr'],
  returningCustomers: 'keep-partner',
  oldLinkParameters: ['via'],
  hasCustomerGroups: false,
  partnerVisibility: { leadNames: true, leadEmails: false, saleAmounts: true },
  partnerLeadSubmission: true,
  recurringMonths: 12,
  selfReferralPolicy: 'hold',
  requireSecondFactor: 'off',
  retention: { rawDataDays: 90, idleLeadMonths: 24, payeeYears: 7 },
  owner,
  ownerInvitation: null,
  supportEmail: 'partners@acme.example',
  host: { name: 'join.acme.example', state: 'ready' },
  disabledAt: null,
  disabledReason: null,
  createdAt: '2026-07-14T09:12:05.008Z',
  updatedAt: '2026-07-14T09:31:17.640Z',
}

export const stats: Stats = {
  numberOfPartners: 2,
  numberOfLeads: 14,
  numberOfSales: 9,
  salesRevenue: 4391_00,
  salesRevenueShare: 878_20,
  salesProfit: 3512_80,
  numberOfClicks: 412,
  currency: 'usd',
}

export const group: Group = {
  id: ids.group,
  accountId: ids.account,
  name: 'Gold',
  publicName: 'Gold partners',
  translations: { de: { publicName: 'Gold-Partner' } },
  joinSlug: 'gold',
  kind: 'partners',
  reward: null,
  automatic: false,
  isDefault: false,
  commissionSettings: { layerRates: [25, 5] },
  rules: 0,
  terms: { rules: [], otherwise: { layerRates: [25, 5] }, maxPerCustomer: null, maxPerMonth: null },
  partners: 0,
  createdAt: '2026-07-21T10:02:44.118Z',
  updatedAt: '2026-07-21T10:02:44.118Z',
}

export const goal: Goal = {
  id: ids.goal,
  groupId: ids.group,
  name: 'Busy month',
  metric: 'revenue',
  window: 'month',
  atLeast: 5_000_00,
  below: null,
  bonus: 250_00,
  moveToGroupId: null,
  appliesTo: null,
  createdAt: group.createdAt,
}

export const partner: Partner & { email: string } = {
  id: ids.partner,
  accountId: ids.account,
  parentPartnerId: null,
  firstName: 'Jane',
  lastName: 'Whitfield',
  displayName: 'Jane Whitfield',
  email: 'jane@whitfield.example',
  note: 'Met at the spring trade fair.',
  externalId: 'user-4711',
  language: 'de',
  referralCode: 'jane-whitfield',
  earlierCodes: ['jane_w'],
  commissionSettings: null,
  effectiveCommissionSettings: { layerRates: [20, 5] },
  groupId: ids.account,
  groupName: 'Default',
  keepInGroup: false,
  agreementVersion: 2,
  approvedPayoutYears: [2026],
  approvedForPayouts: true,
  state: 'active',
  invitationStatus: 'accepted',
  balanceDue: 79_84,
  taxForm: { kind: 'w-9', receivedOn: '2026-07-20', source: 'partner', tinLast4: '7391' },
  payoutMethod: null,
  erasedAt: null,
  stats: { ...stats, numberOfPartners: 1 },
  createdAt: '2026-07-14T09:33:00.519Z',
  updatedAt: '2026-07-20T15:04:11.902Z',
}

/** `partner` before accepting the invitation. */
export const invitedPartner: Partner & { email: string } = {
  ...partner,
  note: null,
  approvedPayoutYears: [],
  approvedForPayouts: false,
  agreementVersion: null,
  state: 'invited',
  invitationStatus: 'sent',
  balanceDue: 0,
  taxForm: null,
  erasedAt: null,
  stats: {
    numberOfPartners: 0,
    numberOfLeads: 0,
    numberOfSales: 0,
    salesRevenue: 0,
    salesRevenueShare: 0,
    salesProfit: 0,
    numberOfClicks: 0,
    currency: 'usd',
  },
}

export const subPartner: Partner & { email: string } = {
  ...invitedPartner,
  id: ids.subPartner,
  parentPartnerId: ids.partner,
  firstName: 'Sam',
  lastName: 'Ortiz',
  displayName: 'Sam Ortiz',
  email: 'sam@ortiz.example',
  referralCode: 'sam-ortiz',
  earlierCodes: [],
  createdAt: '2026-07-15T11:40:26.173Z',
  updatedAt: '2026-07-15T11:40:26.173Z',
}

export const invitation: Invitation = {
  status: 'sent',
  sentAt: '2026-07-15T11:40:27.415Z',
  expiresAt: '2026-07-22T11:40:27.415Z',
  acceptedAt: null,
  sendCount: 1,
  lastError: null,
  mailed: true,
  url: null,
}

export const blueprint: LinkBlueprint = {
  id: ids.blueprint,
  key: 'v4Tn8',
  accountId: ids.account,
  name: 'Pricing page',
  destinationUrl: 'https://www.acme.example/pricing',
  domain: 'www.acme.example',
  parameterName: 'ref',
  utm: { source: 'partner', medium: 'referral', campaign: '{referralCode}', term: null, content: null },
  cookieDays: 90,
  attributionModel: 'last-touch',
  passthroughQuery: true,
  moreDomains: ['shop.acme.example'],
  partnerLinks: true,
  commissionSettings: null,
  enabled: true,
  stats: { clicks: 412, uniqueClicks: 365, leads: 14, sales: 9, revenue: 4391_00 },
  createdAt: '2026-07-14T09:36:12.801Z',
  updatedAt: '2026-07-14T09:36:12.801Z',
}

export const link = {
  id: null,
  own: false,
  name: blueprint.name,
  destinationUrl: blueprint.destinationUrl,
  subId: null,
  url: 'https://www.acme.example/pricing?ref=jane-whitfield',
  shortUrl: `${APP}/r/v4Tn8/jane-whitfield`,
  clicks: 412,
  leads: 14,
  sales: 9,
  revenue: 4391_00,
}

export const ownLink: PartnerLink = {
  blueprintId: ids.blueprint,
  id: ids.ownLink,
  own: true,
  name: 'Dental newsletter',
  destinationUrl: 'https://www.acme.example/pricing/dental',
  subId: 'november',
  url: 'https://www.acme.example/pricing/dental?ref=jane-whitfield&sub=november',
  shortUrl: `${APP}/r/k7mw2q9xd/jane-whitfield`,
  clicks: 61,
  leads: 3,
  sales: 1,
  revenue: 240_00,
  domains: [blueprint.domain, ...blueprint.moreDomains],
}

export const click: PushedClick = {
  id: ids.click,
  partnerId: ids.partner,
  blueprintId: ids.blueprint,
  at: '2026-07-27T16:02:44.100Z',
}

export const lead: Lead = {
  id: ids.lead,
  accountId: ids.account,
  partnerId: ids.partner,
  partnerName: 'Jane Whitfield',
  blueprintId: ids.blueprint,
  clickId: ids.click,
  linkId: ids.ownLink,
  linkName: ownLink.name,
  subId: ownLink.subId,
  firstName: 'Hannah',
  lastName: 'Cole',
  displayName: 'Hannah Cole',
  email: 'hannah@brightline.example',
  phone: '+1 415 555 0142',
  company: 'Brightline Dental',
  externalId: 'customer-1042',
  source: 'embed',
  status: 'won',
  statusReason: null,
  sharedNote: null,
  protectedUntil: '2026-10-25T16:05:01.712Z',
  landingUrl: link.url,
  referrer: 'https://blog.whitfield.example/tools',
  country: 'US',
  metadata: { plan: 'team' },
  duplicateOfId: null,
  attribution: { model: 'last-touch', matchedBy: 'click', at: '2026-07-27T16:02:44.100Z' },
  selfReferral: null,
  noReward: null,
  stats: { numberOfSales: 1, salesRevenue: 399_20, salesRevenueShare: 79_84, salesProfit: 319_36, currency: 'usd' },
  erasedAt: null,
  createdAt: '2026-07-27T16:05:01.712Z',
  updatedAt: '2026-07-27T21:01:09.330Z',
}

export const entry: CommissionEntry = {
  id: ids.entry,
  saleId: ids.sale,
  leadId: null,
  paidFor: null,
  goalId: null,
  refundId: null,
  partnerId: ids.partner,
  partnerName: 'Jane Whitfield',
  layer: 0,
  rate: 20,
  flat: null,
  rule: null,
  baseAmount: 499_00,
  amount: 99_80,
  currency: 'usd',
  kind: 'earned',
  status: 'held',
  availableAt: '2026-08-26T04:00:00.000Z',
  payoutId: null,
  reason: null,
  createdAt: '2026-07-27T21:01:09.330Z',
}

export const entryWithSale: CommissionEntryWithSale = {
  ...entry,
  saleDate: '2026-07-27',
  saleDescription: 'Team plan, 10 seats',
  lead: { id: ids.lead, name: 'Hannah Cole' },
  refund: null,
  hold: null,
  linkId: ids.ownLink,
  subId: ownLink.subId,
}

export const refund: Refund = {
  id: ids.refund,
  kind: 'refund',
  amount: 99_80,
  externalId: 'refund-77',
  status: 'succeeded',
  reason: 'Two seats fewer',
  lines: [{ id: '1', amount: 99_80 }],
  at: '2026-07-29T13:18:50.004Z',
}

export const sale: Sale = {
  id: ids.sale,
  accountId: ids.account,
  leadId: ids.lead,
  leadName: 'Hannah Cole',
  partnerId: ids.partner,
  partnerName: 'Jane Whitfield',
  provider: 'api',
  externalId: 'invoice-2026-0318',
  amount: 499_00,
  grossAmount: 538_92,
  taxAmount: 39_92,
  currency: 'usd',
  accountAmount: 499_00,
  accountCurrency: 'usd',
  fxRate: 1,
  fxDate: '2026-07-27',
  saleDate: '2026-07-27',
  description: 'Team plan, 10 seats',
  subscriptionId: 'subscription-88',
  sequence: 1,
  refundedAmount: 0,
  status: 'completed',
  matchedBy: 'external-id',
  livemode: null,
  payerEmail: 'hannah@brightline.example',
  providerCustomerId: 'customer-1042',
  providerUrl: null,
  country: 'US',
  promotionCodes: [],
  lines: [
    { id: '1', productId: 'team', priceId: 'team-year', sku: null, name: 'Team plan', quantity: 10, amount: 499_00 },
  ],
  hold: null,
  voidReason: null,
  commissions: [entry],
  refunds: [],
  createdAt: '2026-07-27T21:01:09.330Z',
}

export const paymentFile: PaymentFile = {
  id: ids.paymentFile,
  accountId: ids.account,
  number: 7,
  method: 'csv',
  messageId: 'TRB-acme-7',
  executionDate: null,
  count: 3,
  amount: 412_60,
  currency: 'usd',
  state: 'open',
  createdAt: '2026-08-26T09:15:00.250Z',
  createdBy: 'Elena Marsh',
}

export const payout: Payout = {
  id: ids.payout,
  accountId: ids.account,
  partnerId: ids.partner,
  partnerName: 'Jane Whitfield',
  amount: 79_84,
  taxAmount: 0,
  payAmount: 79_84,
  invoiceNumber: null,
  currency: 'usd',
  status: 'due',
  method: 'wise',
  blockers: [],
  periodStart: '2026-07-27',
  periodEnd: '2026-07-29',
  scheduledFor: '2026-08-27',
  approvedAt: null,
  approvedBy: null,
  firstApproval: null,
  sentAt: null,
  paidAt: null,
  paidOn: null,
  failureReason: null,
  externalReference: null,
  statementNumber: 1,
  detailsVersion: '0198c2a4-77d1-7c3e-9a52-1f0b6f2d4c11',
  destination: { kind: 'us-bank', country: 'US', currency: 'usd', hint: '6789' },
  payee: null,
  claimBy: null,
  nameCheck: null,
  paymentFile: null,
  attempts: [],
  createdAt: '2026-08-26T04:00:12.055Z',
  updatedAt: '2026-08-26T04:00:12.055Z',
  reward: null,
}

export const connection: ProviderConnection = {
  id: ids.connection,
  accountId: ids.account,
  createdAt: '2026-07-14T09:50:30.264Z',
  provider: 'stripe',
  accountName: 'Acme Inc.',
  defaultCurrency: 'usd',
  providerAccountIdentifier: 'acct_1Kx9Acme',
  method: 'credentials',
  livemode: true,
  state: 'connected',
  stateReason: null,
  webhookUrl: `${APP}/hooks/providers/stripe/${connectionKey}`,
  webhookSecretSet: true,
  lastEventAt: '2026-07-27T21:01:08.917Z',
  eventsLast24h: 3,
  reconciledAt: '2026-08-14T02:10:05.120Z',
  codeRule: null,
  codeRules: [],
}
