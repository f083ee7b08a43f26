// Made from the OpenAPI document by `npm run client`; changes here are lost.
import type { List, OneOrMany, Page } from './list.ts'
import { type Call, type CallOptions, listOf, type Send } from './send.ts'

export type ErrorCode = "malformed_request" | "unauthenticated" | "invalid_credentials" | "token_expired" | "forbidden" | "account_disabled" | "recent_sign_in_required" | "not_found" | "not_acceptable" | "conflict" | "duplicate" | "invalid_state" | "payout_blocked" | "payout_changed" | "idempotency_mismatch" | "in_use" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "rate_limited" | "internal_error" | "provider_failed" | "unavailable"

export interface Account {
  id: string
  name: string | null
  displayName: string
  publicId: string
  apiKey: string | null
  defaultCurrency: string
  defaultCommissionSettings: {
    layerRates: number[]
  }
  invitationsFromPartners: boolean
  autoPayoutsEnabled: boolean
  payoutDelay: number
  minimumPayout: number
  timeZone: string
  leadProtectionDays: number
  attributionModel: "last-touch" | "first-touch"
  partnerVisibility: {
    leadNames: boolean
    leadEmails: boolean
    saleAmounts: boolean
  }
  partnerLeadSubmission: boolean
  recurringMonths: number | null
  selfReferralPolicy: "allow" | "flag" | "hold" | "refuse"
  owner: User | null
  ownerInvitation: OwnerInvitation | null
  supportEmail: string | null
  disabledAt: string | null
  disabledReason: string | null
  createdAt: string
  updatedAt: string
}

export interface AccountForPartner {
  id: string
  name: string | null
  displayName: string
  defaultCurrency: string
  timeZone: string
  invitationsFromPartners: boolean
  partnerLeadSubmission: boolean
  payoutDelay: number
  minimumPayout: number
  supportEmail: string | null
  disabledAt: string | null
}

export interface AccountWithStats {
  id: string
  name: string | null
  displayName: string
  publicId: string
  apiKey: string | null
  defaultCurrency: string
  defaultCommissionSettings: {
    layerRates: number[]
  }
  invitationsFromPartners: boolean
  autoPayoutsEnabled: boolean
  payoutDelay: number
  minimumPayout: number
  timeZone: string
  leadProtectionDays: number
  attributionModel: "last-touch" | "first-touch"
  partnerVisibility: {
    leadNames: boolean
    leadEmails: boolean
    saleAmounts: boolean
  }
  partnerLeadSubmission: boolean
  recurringMonths: number | null
  selfReferralPolicy: "allow" | "flag" | "hold" | "refuse"
  owner: User | null
  ownerInvitation: OwnerInvitation | null
  supportEmail: string | null
  disabledAt: string | null
  disabledReason: string | null
  createdAt: string
  updatedAt: string
  stats: Stats
}

export interface AddedPartner {
  status: number
  id: string | null
  error: RowError | null
  invitationUrl: string | null
}

export interface ApiKey {
  id: string
  name: string
  rights: ("push" | "read")[]
  lastFour: string
  lastUsedAt: string | null
  createdAt: string
  expiresAt: string | null
  replacedBy: string | null
}

export interface ApiKeyWithKey {
  id: string
  name: string
  rights: ("push" | "read")[]
  lastFour: string
  lastUsedAt: string | null
  createdAt: string
  expiresAt: string | null
  replacedBy: string | null
  key: string
}

export interface ApprovalPreview {
  count: number
  amount: number
  feeEstimate: number | null
  excluded: {
    id: string
    error: RowError
  }[]
}

export interface ApprovalResults {
  results: {
    id: string
    status: "open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled" | null
    error: RowError | null
  }[]
}

export interface AuditRow {
  id: string
  at: string
  actor: {
    type: "user" | "api-key" | "system"
    id: string | null
    name: string | null
  }
  network: string | null
  action: string
  subject: {
    type: string
    id: string | null
    name: string | null
  }
  changes: Record<string, {
    old: unknown
    new: unknown
  }>
  names: Record<string, string>
  currency: string | null
}

export interface AutoPayoutSettings {
  enabled: boolean
  wiseProfile: WiseProfile | null
  wiseProfilesAvailable: WiseProfile[]
  wiseTokenHint: string | null
  wiseError: string | null
  maxPerPayout: number | null
  maxPerRun: number | null
}

export interface AvailableProvider {
  provider: "stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic"
  name: string
  methods: ("oauth" | "credentials")[]
  remembers: boolean
  fields: {
    key: string
    label: string
    help: string | null
    secret: boolean
    optional: boolean
  }[]
  signingField: string
}

export interface Balance {
  partnerId: string
  partnerName: string
  currency: string
  held: number
  due: number
  onHold: number
  inPayout: number
  paid: number
  nextPayoutDate: string | null
  dueSince: string | null
  blockers: Blocker[]
}

export interface BalanceTotals {
  currency: string
  held: number
  due: number
  onHold: number
  count: number
}

export interface Blocker {
  code: "no-deposit-info" | "not-approved-this-year" | "below-minimum" | "negative-balance" | "on-hold-fraud" | "deposit-info-changed-recently" | "payouts-not-configured" | "currency-unsupported" | "wise-rejected-recipient" | "partner-disabled"
  message: string
}

export interface BlueprintLink {
  partnerId: string
  displayName: string
  url: string
  shortUrl: string
  clicks: number
  leads: number
  sales: number
}

export interface CommissionPreview {
  currency: string
  accountAmount: number | null
  entries: {
    partnerId: string
    displayName: string
    layer: number
    rate: number
    amount: number
  }[]
  total: number
  profit: number | null
  unearned: {
    why: "no-partner" | "zero-rates"
    source: "partner" | "link" | "account" | null
  } | null
  dueOn: string
}

export interface CommissionTotals {
  count: number
  amount: number
  held: number
  due: number
  inPayout: number
  paid: number
}

export interface Connection {
  id: string
  accountId: string
  createdAt: string
  provider: "stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic"
  accountName: string | null
  defaultCurrency: string | null
  providerAccountIdentifier: string | null
  method: "oauth" | "credentials"
  livemode: boolean
  state: "connected" | "attention" | "disconnected"
  stateReason: string | null
  webhookUrl: string | null
  webhookSecretSet: boolean
  lastEventAt: string | null
  eventsLast24h: number
  reconciledAt: string | null
}

export interface Dashboard {
  current: Stats
  previous: Stats
  history: HistoricalStats
  topPartners: {
    partnerId: string
    displayName: string
    numberOfSales: number
    salesRevenue: number
  }[]
  topLinks: {
    blueprintId: string
    name: string
    clicks: number
    sales: number
  }[]
  latestSales: Sale[]
  attention: {
    kind: "unanswered-leads" | "blocked-payouts" | "unhealthy-provider" | "failing-webhook" | "unattributed-leads" | "sales-on-hold"
    count: number
    amount: number | null
    link: string
  }[]
  checklist: {
    step: "payment-provider" | "partner" | "link" | "embed-or-api" | "sale" | "payouts"
    done: boolean
  }[]
}

export interface EarlierSales {
  sales: {
    count: number
    amount: number
  }
  commission: number
}

export interface EmbedCheck {
  matched: {
    firstName: boolean
    lastName: boolean
    email: boolean
    phone: boolean
    fieldsContainer: boolean
    submitButton: boolean
  } | null
}

export interface EmbedCode {
  id: string
  createdAt: string
  updatedAt: string
  config: EmbedConfig
  domains: string[]
  onlyIfReferred: boolean
  consentMode: "off" | "required" | "cookieless"
  path: string | null
  snippet: string
  lastLeadAt: string | null
  refusedLeads: number
  lastRefusedOrigin: string | null
}

export interface EmbedConfig {
  firstName: {
    key: "firstName"
    selectorType: "id" | "class" | "name" | "default" | "query-selector"
    selectorValue: string
  }
  lastName: {
    key: "lastName"
    selectorType: "id" | "class" | "name" | "default" | "query-selector"
    selectorValue: string
  }
  email: {
    key: "email"
    selectorType: "id" | "class" | "name" | "default" | "query-selector"
    selectorValue: string
  }
  phone: {
    key: "phone"
    selectorType: "id" | "class" | "name" | "default" | "query-selector"
    selectorValue: string
  }
  fieldsContainer: {
    key: "fieldsContainer"
    selectorType: "id" | "class" | "name" | "default" | "query-selector"
    selectorValue: string
  }
  submitButton: {
    key: "submitButton"
    selectorType: "id" | "class" | "name" | "default" | "query-selector"
    selectorValue: string
  }
}

export interface EmbedConfigInput {
  firstName: {
    key: "firstName"
    selectorType: "id" | "class" | "name" | "default" | "query-selector"
    selectorValue: string
  }
  lastName: {
    key: "lastName"
    selectorType: "id" | "class" | "name" | "default" | "query-selector"
    selectorValue: string
  }
  email: {
    key: "email"
    selectorType: "id" | "class" | "name" | "default" | "query-selector"
    selectorValue: string
  }
  phone: {
    key: "phone"
    selectorType: "id" | "class" | "name" | "default" | "query-selector"
    selectorValue: string
  }
  fieldsContainer: {
    key: "fieldsContainer"
    selectorType: "id" | "class" | "name" | "default" | "query-selector"
    selectorValue: string
  }
  submitButton: {
    key: "submitButton"
    selectorType: "id" | "class" | "name" | "default" | "query-selector"
    selectorValue: string
  }
}

export interface Entry {
  id: string
  saleId: string | null
  refundId: string | null
  partnerId: string
  partnerName: string
  layer: number | null
  rate: number | null
  baseAmount: number | null
  amount: number
  currency: string
  kind: "earned" | "reversal" | "restoration" | "adjustment" | "bonus"
  status: "held" | "due" | "in-payout" | "paid" | "on-hold" | "void"
  availableAt: string
  payoutId: string | null
  reason: string | null
  createdAt: string
}

export interface EntryTotals {
  count: number
  amount: number
}

export interface EntryWithSale {
  id: string
  saleId: string | null
  refundId: string | null
  partnerId: string
  partnerName: string
  layer: number | null
  rate: number | null
  baseAmount: number | null
  amount: number
  currency: string
  kind: "earned" | "reversal" | "restoration" | "adjustment" | "bonus"
  status: "held" | "due" | "in-payout" | "paid" | "on-hold" | "void"
  availableAt: string
  payoutId: string | null
  reason: string | null
  createdAt: string
  saleDate: string | null
  saleDescription: string | null
  lead: {
    id: string
    name: string
  } | null
  refund: {
    kind: "refund" | "dispute"
    at: string
  } | null
  hold: {
    until: string | null
    reason: string
  } | null
}

export interface ExchangeRate {
  currency: string
  date: string
  rate: number
  source: "entered" | "ecb"
}

export interface HistoricalStats {
  startDate: string
  endDate: string
  period: "day" | "week" | "month"
  currency: string
  deltas: {
    date: string
    numberOfPartners: number
    numberOfLeads: number
    numberOfSales: number
    salesRevenue: number | null
    salesRevenueShare: number
    salesProfit: number | null
    numberOfClicks: number
  }[]
}

export interface Import {
  id: string
  kind: "partners" | "leads" | "sales" | "payouts" | "past-sales"
  format: string | null
  connectionId: string | null
  state: "waiting" | "running" | "done" | "failed" | "canceled" | "undoing" | "undone"
  reason: string | null
  dryRun: boolean
  total: number | null
  done: number
  created: number
  undone: number
  skipped: number
  failed: number
  totals: {
    currency: string
    count: number
    amount: number
  }[]
  unattributed: number
  settled: {
    currency: string
    count: number
    amount: number
  }[]
  assigned: number
  warnings: {
    row: number | null
    message: string
  }[]
  errors: {
    row: number
    field: string | null
    message: string
  }[]
  skips: {
    row: number
    message: string
  }[]
  mapping: {
    field: string
    column: string | null
    transform: "none" | "trim" | "lowercase" | "number" | "cents" | "date" | "constant" | "day-first-date" | "paid-or-not" | "first-name" | "last-name"
    default: string | null
  }[] | null
  from: string | null
  to: string | null
  undoableUntil: string | null
  createdAt: string
  finishedAt: string | null
}

export interface ImportPreview {
  columns: string[]
  rows: string[][]
  kind: "partners" | "leads" | "sales" | "payouts" | null
  format: string
  formatName: string | null
  sure: "certain" | "guess" | "saved"
  mapping: {
    field: string
    column: string | null
    transform: "none" | "trim" | "lowercase" | "number" | "cents" | "date" | "constant" | "day-first-date" | "paid-or-not" | "first-name" | "last-name"
    default: string | null
  }[]
  formats: {
    format: string
    name: string
  }[]
}

export interface IncomingDelivery {
  id: string
  state: "received" | "processed" | "ignored" | "failed" | "replayed"
  payload: unknown
  payloadBytes: number | null
  reason: string | null
  fields: Record<string, string> | null
  made: {
    type: "lead" | "sale" | "refund"
    id: string
  } | null
  receivedAt: string
}

export interface IncomingRehearsal {
  state: "processed" | "ignored" | "failed"
  reason: string | null
  fields: Record<string, string> | null
  values: Record<string, unknown>
  made: {
    type: "lead" | "sale" | "refund"
    created: boolean
    object: unknown
  } | null
}

export interface IncomingWebhook {
  id: string
  accountId: string
  name: string
  target: "lead" | "sale" | "refund" | "lead-status"
  url: string | null
  state: "capturing" | "active" | "disabled"
  enabled: boolean
  auth: {
    type: "url-secret"
  } | {
    type: "header-hmac"
    header: string
    algorithm: "sha256"
    encoding: "hex" | "base64"
    prefix: string | null
    signed: "body" | "timestamp-dot-body" | "timestamp-colon-body" | "method-url-body-timestamp"
    timestampHeader: string | null
  } | {
    type: "basic"
    username: string
  }
  mapping: {
    field: string
    path: string | null
    transform: "none" | "trim" | "lowercase" | "number" | "cents" | "date" | "constant"
    default: string | null
  }[]
  partnerMatch: {
    by: "referralCode" | "email" | "id" | "clickId"
    path: string
  } | null
  filters: {
    path: string
    equals: string
  }[]
  dedupePath: string | null
  allowedIps: string[]
  sample: unknown
  guesses: {
    field: string
    path: string
    transform: "none" | "trim" | "lowercase" | "number" | "cents" | "date" | "constant"
  }[]
  lastReceivedAt: string | null
  counts: {
    processed: number
    ignored: number
    failed: number
  }
  createdAt: string
  updatedAt: string
}

export interface Invitation {
  status: "pending" | "sent" | "bounced" | "opened" | "accepted" | "expired" | "revoked"
  sentAt: string | null
  expiresAt: string | null
  acceptedAt: string | null
  sendCount: number
  lastError: string | null
  mailed: boolean
  url: string | null
}

export interface KeptMail {
  id: string
  kind: string
  title: string
  email: string
  subject: string | null
  state: "waiting" | "sent" | "kept" | "refused" | "failed" | "skipped"
  reason: string | null
  tries: number
  lastTriedAt: string | null
  createdAt: string
  text: string | null
  file: string | null
}

export interface Lead {
  id: string
  accountId: string
  partnerId: string | null
  partnerName: string | null
  blueprintId: string | null
  clickId: string | null
  firstName: string | null
  lastName: string | null
  displayName: string
  email: string | null
  phone: string | null
  company: string | null
  externalId: string | null
  source: "embed" | "manual" | "api" | "incoming-webhook" | "provider" | "import" | "partner"
  status: "new" | "qualified" | "won" | "lost" | "rejected" | "expired" | "duplicate"
  statusReason: string | null
  sharedNote: string | null
  protectedUntil: string | null
  landingUrl: string | null
  referrer: string | null
  metadata: Record<string, string>
  duplicateOfId: string | null
  attribution: {
    model: "last-touch" | "first-touch"
    matchedBy: "click" | "code" | "coupon" | "manual" | "email"
    at: string
  } | null
  selfReferral: "refuse" | "hold" | "flag" | null
  stats: LeadStats
  createdAt: string
  updatedAt: string
}

export interface LeadEvent {
  at: string
  type: string
  actor: string | null
  text: string
  link: string | null
}

export interface LeadHistoricalStats {
  startDate: string
  endDate: string
  period: "day" | "week" | "month"
  currency: string
  deltas: {
    date: string
    numberOfSales: number
    salesRevenue: number | null
    salesRevenueShare: number
    salesProfit: number | null
  }[]
}

export interface LeadStats {
  numberOfSales: number
  salesRevenue: number | null
  salesRevenueShare: number
  salesProfit: number | null
  currency: string
}

export interface LeadSubmission {
  at: string
  source: "embed" | "manual" | "api" | "incoming-webhook" | "provider" | "import" | "partner"
  body: unknown
}

export interface LinkBlueprint {
  id: string
  key: string
  accountId: string
  name: string
  destinationUrl: string
  domain: string
  parameterName: string
  utm: Utm
  cookieDays: number
  attributionModel: "last-touch" | "first-touch"
  passthroughQuery: boolean
  commissionSettings: {
    layerRates: number[]
  } | null
  enabled: boolean
  stats: LinkStats
  createdAt: string
  updatedAt: string
}

export interface LinkStats {
  clicks: number
  uniqueClicks: number
  leads: number
  sales: number
  revenue: number
}

export interface LinkTest {
  reachable: boolean
  status: number | null
  redirectsTo: string | null
  parameterKept: boolean | null
}

export interface LoggedMail {
  id: string
  kind: string
  title: string
  email: string
  subject: string | null
  state: "waiting" | "sent" | "kept" | "refused" | "failed" | "skipped"
  reason: string | null
  tries: number
  lastTriedAt: string | null
  createdAt: string
}

export interface MailChoice {
  group: "security" | "invitations" | "leads" | "sales" | "payouts" | "reminders" | "integrations" | "install" | "summaries"
  title: string
  description: string
  optional: boolean
  enabled: boolean
}

export interface MailPreview {
  kind: string
  title: string
  description: string
  subject: string
  page: string
}

export interface MailServer {
  host: string
  port: number
}

export interface MailSubscription {
  group: "security" | "invitations" | "leads" | "sales" | "payouts" | "reminders" | "integrations" | "install" | "summaries"
  title: string
  enabled: boolean
}

export interface Me {
  id: string
  email: string
  firstName: string | null
  lastName: string | null
  roles: Role[]
  createdAt: string
  updatedAt: string
  preferences: Record<string, unknown>
  environment: "local" | "staging" | "production"
}

export interface NewPushedClick {
  blueprintKey?: string | null
  referralCode: string
  url?: string | null
  referrer?: string | null
  ip?: string | null
  userAgent?: string | null
  at?: string | null
}

export interface NewPushedLead {
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  phone?: string | null
  company?: string | null
  externalId?: string | null
  metadata?: Record<string, string>
  referralCode?: string | null
  partnerId?: string | null
  clickId?: string | null
}

export interface NewPushedRefund {
  externalId: string
  saleExternalId: string
  amount?: number | null
  reason?: string | null
}

export interface NewPushedSale {
  externalId: string
  leadExternalId?: string | null
  email?: string | null
  leadId?: string | null
  referralCode?: string | null
  promotionCode?: string | null
  amount: number
  currency?: string | null
  saleDate?: string | null
  taxAmount?: number | null
  subscriptionId?: string | null
  description?: string | null
  metadata?: Record<string, string> | null
}

export interface NewRehearsal {
  partnerId?: string | null
  blueprintId?: string | null
  amount?: number | null
}

export interface OutgoingDelivery {
  id: string
  eventId: string
  event: string
  state: "pending" | "delivered" | "retrying" | "failed"
  code: number | null
  durationMs: number | null
  attempts: number
  nextAttemptAt: string | null
  requestBody: string | null
  responseBody: string | null
  createdAt: string
}

export interface OutgoingWebhook {
  id: string
  accountId: string
  name: string
  url: string
  events: ("*" | "lead.created" | "lead.updated" | "lead.status-changed" | "lead.reassigned" | "lead.deleted" | "sale.created" | "sale.updated" | "sale.refunded" | "sale.disputed" | "sale.dispute-closed" | "sale.voided" | "commission.created" | "commission.reversed" | "commission.due" | "commission.paid" | "payout.due" | "payout.approved" | "payout.awaiting-funding" | "payout.sent" | "payout.paid" | "payout.failed" | "payout.returned" | "payout.canceled" | "partner.created" | "partner.updated" | "partner.invitation-sent" | "partner.invitation-accepted" | "partner.payout-settings-updated" | "partner.deleted" | "link-blueprint.created" | "link-blueprint.updated" | "link-blueprint.deleted" | "payment-provider.connected" | "payment-provider.disconnected" | "payment-provider.unhealthy")[]
  headers: Record<string, string>
  enabled: boolean
  disabledReason: string | null
  consecutiveFailures: number
  lastDeliveryAt: string | null
  createdAt: string
  updatedAt: string
}

export interface OutgoingWebhookWithSecret {
  id: string
  accountId: string
  name: string
  url: string
  events: ("*" | "lead.created" | "lead.updated" | "lead.status-changed" | "lead.reassigned" | "lead.deleted" | "sale.created" | "sale.updated" | "sale.refunded" | "sale.disputed" | "sale.dispute-closed" | "sale.voided" | "commission.created" | "commission.reversed" | "commission.due" | "commission.paid" | "payout.due" | "payout.approved" | "payout.awaiting-funding" | "payout.sent" | "payout.paid" | "payout.failed" | "payout.returned" | "payout.canceled" | "partner.created" | "partner.updated" | "partner.invitation-sent" | "partner.invitation-accepted" | "partner.payout-settings-updated" | "partner.deleted" | "link-blueprint.created" | "link-blueprint.updated" | "link-blueprint.deleted" | "payment-provider.connected" | "payment-provider.disconnected" | "payment-provider.unhealthy")[]
  headers: Record<string, string>
  enabled: boolean
  disabledReason: string | null
  consecutiveFailures: number
  lastDeliveryAt: string | null
  createdAt: string
  updatedAt: string
  secret: string
}

export interface OwnerInvitation {
  status: "pending" | "sent" | "bounced" | "opened" | "accepted" | "expired" | "revoked"
  sentAt: string | null
  expiresAt: string | null
  mailed: boolean
  url: string | null
  presentOwner: string | null
}

export interface Pace {
  currency: string
  startDate: string
  endDate: string
  previousStartDate: string
  previousEndDate: string
  current: number
  previous: number
  days: {
    current: number | null
    previous: number | null
  }[]
  partners: {
    partnerId: string
    displayName: string
    current: number
    previous: number
  }[]
  otherPartners: {
    current: number
    previous: number
  }
  newLeads: {
    count: number
    amount: number
    top: {
      leadId: string
      displayName: string
      amount: number
    }[]
  }
  lostLeads: {
    count: number
    amount: number
    top: {
      leadId: string
      displayName: string
      amount: number
    }[]
  }
  otherLeads: {
    current: number
    previous: number
  }
}

export interface Parked {
  id: string
  kind: "event" | "job"
  name: string
  reason: string | null
  tries: number
  createdAt: string
  keptUntil: string | null
}

export interface Partner {
  id: string
  accountId: string
  parentPartnerId: string | null
  firstName: string | null
  lastName: string | null
  displayName: string
  email: string
  note?: string | null
  referralCode: string
  commissionSettings: {
    layerRates: number[]
  } | null
  effectiveCommissionSettings: {
    layerRates: number[]
  } | null
  approvedPayoutYears: number[] | null
  approvedForPayouts: boolean | null
  state: "invited" | "active" | "suspended" | "archived"
  invitationStatus: "pending" | "sent" | "bounced" | "opened" | "accepted" | "expired" | "revoked" | null
  balanceDue: number | null
  taxForm: {
    kind: "w-9" | "w-8ben" | "w-8ben-e"
    receivedOn: string
  } | null
  stats: Stats
  createdAt: string
  updatedAt: string
}

export interface PartnerHistoricalStats {
  startDate: string
  endDate: string
  period: "day" | "week" | "month"
  currency: string
  deltas: {
    date: string
    numberOfPartners: number
    numberOfLeads: number
    numberOfSales: number
    salesRevenue: number | null
    salesRevenueShare: number
    salesProfit: number | null
    numberOfClicks: number
    subPartnersShare: number
  }[]
}

export interface PartnerLink {
  blueprintId: string
  name: string
  url: string
  shortUrl: string
  clicks: number
  leads: number
  sales: number
}

export interface PartnerTold {
  id: string
  accountId: string
  parentPartnerId: string | null
  firstName: string | null
  lastName: string | null
  displayName: string
  email: string
  referralCode: string
  commissionSettings: {
    layerRates: number[]
  } | null
  effectiveCommissionSettings: {
    layerRates: number[]
  } | null
  approvedPayoutYears: number[] | null
  approvedForPayouts: boolean | null
  state: "invited" | "active" | "suspended" | "archived"
  invitationStatus: "pending" | "sent" | "bounced" | "opened" | "accepted" | "expired" | "revoked" | null
  balanceDue: number | null
  taxForm: {
    kind: "w-9" | "w-8ben" | "w-8ben-e"
    receivedOn: string
  } | null
  stats: Stats
  createdAt: string
  updatedAt: string
}

export interface Payday {
  date: string
  amount: number
  count: number
  destination?: string
}

export interface Payout {
  id: string
  accountId: string
  partnerId: string
  partnerName: string
  amount: number
  currency: string
  status: "open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled"
  method: "wise" | "manual" | "csv"
  blockers: Blocker[]
  periodStart: string | null
  periodEnd: string | null
  scheduledFor: string | null
  approvedAt: string | null
  approvedBy: string | null
  sentAt: string | null
  paidAt: string | null
  paidOn: string | null
  failureReason: string | null
  externalReference: string | null
  statementNumber: number
  detailsVersion: string | null
  attempts: PayoutAttempt[]
  createdAt: string
  updatedAt: string
}

export interface PayoutAttempt {
  id: string
  wiseTransferId: string | null
  state: string
  fee: number | null
  rate: number | null
  error: string | null
  at: string
}

export interface PayoutAttention {
  items: {
    kind: "approve" | "fund" | "remind" | "approve-year" | "fix-details" | "retry" | "reconnect"
    message: string
    count: number
    amount: number
    method: "wise" | "manual" | "csv" | null
    partnerIds: string[]
  }[]
}

export interface PayoutDetailsState {
  partnerId: string
  enabled: boolean
  updatedAt: string
}

export interface PayoutForecast {
  currency: string
  days: Payday[]
  blocked: {
    amount: number
    count: number
  }
}

export interface PayoutReconciliation {
  pausedAt: string | null
  webhooksPaused: boolean
  readAt: string | null
  problem: string | null
  currency: string
  counts: {
    same: number
    ahead: number
    unknown: number
    missing: number
    dismissed: number
  }
  transfers: ReadTransfer[]
}

export interface PayoutResults {
  rows: {
    row: number
    reference: string | null
    payoutId: string | null
    partnerName: string | null
    amount: number | null
    was: "open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled" | null
    becomes: "open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled" | null
    error: RowError | null
  }[]
  applied: number
}

export interface PayoutSettings {
  enabled: boolean
  depositInfo: {
    legalType: "PRIVATE" | "BUSINESS"
    name: string
    routingNumber: string
    accountNumber: string
    accountType: "CHECKING" | "SAVINGS"
    address: {
      country: string
      state: string
      city: string
      addressLine: string
      zipCode: string
    }
  } | null
  updatedAt: string | null
  formOnFile: boolean
}

export interface PayoutStatement {
  payout: Payout
  accountName: string
  timeZone: string
  destination: string | null
  numberOfEntries: number
  sums: {
    kind: "earned" | "reversal" | "restoration" | "adjustment" | "bonus"
    count: number
    amount: number
  }[]
}

export interface PayoutSums {
  count: number
  amount: number
  currency: string
}

export interface PayoutTotals {
  currency: string
  dueNow: {
    amount: number
    count: number
  }
  awaitingFunding: {
    amount: number
    count: number
  }
  paidThisYear: {
    amount: number
    count: number
  }
}

export interface PromotionCode {
  id: string
  partnerId: string
  code: string
  createdAt: string
}

export interface ProviderEvent {
  id: string
  externalId: string
  type: string
  at: string
  receivedAt: string
  state: "received" | "processed" | "ignored" | "failed" | "waiting"
  reason: string | null
  saleId: string | null
}

export interface PushRequest {
  id: string
  path: string
  status: number
  error: {
    code: string
    message: string
  } | null
  rows: number | null
  failedRows: number | null
  createdAt: string
}

export interface PushResult {
  status: number
  id: string | null
  error: RowError | null
}

export interface PushResults {
  results: PushResult[]
}

export interface PushedClick {
  id: string
  partnerId: string
  blueprintId: string | null
  at: string
}

export interface QueueState {
  name: string
  waiting: number
  active: number
  failed: number
  parks: boolean
  oldestSeconds: number | null
}

export interface RatesEffect {
  currency: string
  from: string
  to: string
  sales: number
  paid: number
  wouldHavePaid: number
}

export interface ReadTransfer {
  transferId: string
  reference: string | null
  amount: number | null
  madeAt: string | null
  state: string | null
  stateHere: string | null
  finding: "same" | "ahead" | "unknown" | "missing" | "dismissed"
  payoutId: string | null
  statementNumber: number | null
  payoutStatus: "open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled" | null
  partnerId: string | null
  partnerName: string | null
}

export interface Receipt {
  accountId: string
  entry: Entry
  sale: Sale | null
  lead: Lead | null
  click: {
    id: string
    at: string
    blueprintId: string | null
    linkName: string | null
    referrer: string | null
    landingPath: string | null
  } | null
  match: SaleMatch | null
  rate: {
    percent: number
    source: "partner" | "link" | "account" | null
    layer: number
  } | null
  hold: {
    until: string | null
    reason: string
  } | null
  payout: {
    id: string
    number: number
    status: "open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled"
    paidAt: string | null
    destination: string | null
  } | null
  earlierPayouts: {
    id: string
    number: number
    status: "open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled"
  }[]
  openEvents: {
    id: string
    connectionId: string
    provider: "stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic" | "manual" | "api" | "incoming-webhook" | "import"
    type: string
    state: "failed" | "waiting"
    reason: string | null
    at: string
  }[]
  corrections: Entry[]
}

export interface Refund {
  id: string
  kind: "refund" | "dispute"
  amount: number | null
  externalId: string | null
  status: "pending" | "succeeded" | "failed" | "canceled"
  reason: string | null
  at: string
}

export interface Rehearsal {
  id: string
  accountId: string
  state: "running" | "passed" | "failed"
  steps: {
    step: "click" | "lead" | "sale" | "commission" | "refund" | "webhook" | "clean-up"
    state: "waiting" | "running" | "done" | "warning" | "failed" | "skipped"
    detail: string | null
    fix: "links" | "partners" | "embed-code" | "push-data" | "payment-providers" | "commission" | "outgoing-webhooks" | null
  }[]
  createdAt: string
  finishedAt: string | null
}

export interface Reminder {
  kind: "payout-settings" | "invitation"
  nextAt: string
  mailed: boolean
}

export interface RevenueLine {
  id: string
  kind: "sale" | "refund" | "dispute" | "restoration" | "void"
  day: string
  saleId: string
  leadId: string
  leadName: string
  partnerId: string | null
  partnerName: string | null
  blueprintId: string | null
  provider: "stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic" | "manual" | "api" | "incoming-webhook" | "import"
  externalId: string | null
  livemode: boolean | null
  status: "completed" | "partially-refunded" | "refunded" | "disputed" | "charged-back" | "void"
  onHold: boolean
  hold: {
    until: string | null
    reason: string
  } | null
  amount: number
  share: number
  profit: number
}

export interface RevenueTotals {
  count: number
  sales: number
  revenue: number
  share: number
  profit: number
}

export type Role = {
  type: "admin"
} | {
  type: "account-owner"
  accountId: string
  accountName: string
} | {
  type: "partner"
  partnerId: string
  accountId: string
  accountName: string
}

export interface RowError {
  code: string
  reason: string
  message: string
  values: Record<string, string | number> | null
  fields: Record<string, string> | null
  details: Record<string, unknown> | null
}

export interface Sale {
  id: string
  accountId: string
  leadId: string | null
  leadName: string | null
  partnerId: string | null
  partnerName: string | null
  provider: "stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic" | "manual" | "api" | "incoming-webhook" | "import"
  externalId: string | null
  amount: number | null
  grossAmount: number | null
  taxAmount: number | null
  currency: string
  accountAmount: number | null
  accountCurrency: string
  fxRate: number | null
  fxDate: string | null
  saleDate: string
  description: string | null
  subscriptionId: string | null
  sequence: number | null
  refundedAmount: number | null
  status: "completed" | "partially-refunded" | "refunded" | "disputed" | "charged-back" | "void"
  matchedBy: "click" | "code" | "lead-id" | "customer" | "external-id" | "coupon" | "email" | "manual" | null
  livemode: boolean | null
  payerEmail: string | null
  providerCustomerId: string | null
  hold: SaleHold | null
  voidReason: string | null
  commissions: Entry[]
  refunds: Refund[]
  createdAt: string
}

export interface SaleHold {
  rule: "self-referral"
  policy: "flag" | "hold" | "refuse"
  reason: string
  until: string | null
}

export interface SaleMatch {
  rule: "click" | "code" | "lead-id" | "customer" | "external-id" | "coupon" | "email" | "manual" | null
  why: string
  others: {
    rule: "click" | "code" | "lead-id" | "customer" | "external-id" | "coupon" | "email" | "manual"
    why: string
  }[]
}

export interface Session {
  accessToken: string
  refreshToken: string
}

export interface SimilarLeads {
  items: {
    by: "domain" | "company"
    value: string
    total: number
    leads: {
      id: string
      displayName: string
      partnerName: string | null
      status: "new" | "qualified" | "won" | "lost" | "rejected" | "expired" | "duplicate"
      createdAt: string
    }[]
  }[]
}

export interface StartedEmbedCheck {
  id: string
  url: string
  expiresAt: string
}

export interface Stats {
  numberOfPartners: number
  numberOfLeads: number
  numberOfSales: number
  salesRevenue: number | null
  salesRevenueShare: number
  salesProfit: number | null
  numberOfClicks: number
  currency: string
}

export interface SubmittedLeadVerdict {
  verdict: "new" | "yours" | "already-registered"
  lead: Lead | null
  registeredAt: string
  protectedUntil: string | null
}

export interface System {
  version: string
  environment: "local" | "staging" | "production"
  processRole: "all" | "web" | "worker"
  startedAt: string
  database: {
    version: string
    embedded: boolean
    bytes: number
    connections: number
    maxConnections: number
    migration: {
      name: string
      appliedAt: string
    }
    replica: {
      is: "follows" | "behind" | "elsewhere" | "promoted" | "foreign" | "away"
      lagSeconds: number | null
    } | null
  }
  queues: QueueState[]
  events: {
    waiting: number
    oldestSeconds: number | null
    parked: number
  }
  mail: {
    server: MailServer | null
    lastSentAt: string | null
    failures: number
  }
  storage: {
    freeBytes: number
    totalBytes: number
    databaseBytes: number | null
    outboxBytes: number
    outboxHasMore: boolean
  }
  backups: {
    everyHours: number
    count: number
    newestAt: string | null
    newestBytes: number | null
    isOverdue: boolean
  } | null
}

export interface TaxYearPartner {
  partnerId: string
  partnerName: string
  email: string
  currency: string
  paid: number
  payouts: number
  method: "wise" | "manual" | "csv" | "several" | null
  approved: boolean
  taxForm: {
    kind: "w-9" | "w-8ben" | "w-8ben-e"
    receivedOn: string
    expired: boolean
  } | null
  overThreshold: boolean | null
}

export interface TaxYearTerms {
  year: number
  currency: string
  threshold: number | null
  legalThreshold: number | null
}

export interface TaxYearTotals {
  partners: number
  paid: number
  payouts: number
  approved: number
  overThreshold: number
  formsMissing: number
}

export interface User {
  id: string
  email: string
  firstName: string | null
  lastName: string | null
  roles: Role[]
  createdAt: string
  updatedAt: string
}

export interface UserSession {
  id: string
  createdAt: string
  lastUsedAt: string
  userAgent: string | null
  address: string | null
  current: boolean
}

export interface UserSetup {
  email: string | null
  firstName: string | null
  lastName: string | null
  accountName: string | null
  invitedBy: string | null
  status: "valid" | "existing-user" | "expired" | "used"
}

export interface UserToken {
  id: string
  name: string
  lastFour: string
  lastUsedAt: string | null
  createdAt: string
  expiresAt: string | null
}

export interface UserTokenWithToken {
  id: string
  name: string
  lastFour: string
  lastUsedAt: string | null
  createdAt: string
  expiresAt: string | null
  token: string
}

export interface Utm {
  source: string | null
  medium: string | null
  campaign: string | null
  term: string | null
  content: string | null
}

export interface WholeMailPreview {
  kind: string
  title: string
  description: string
  subject: string
  page: string
  text: string
}

export interface WiseProfile {
  id: string
  type: string
  fullName: string | null
  businessName: string | null
}

export interface AcceptUserSetupBody {
  token: string
}

export interface ChangePasswordBody {
  password: string
  currentPassword?: string
  email?: string
}

export interface ConfirmPasswordBody {
  password: string
}

export interface RefreshSessionBody {
  refreshToken: string
}

export interface ResetPasswordBody {
  email: string
}

export interface RetryUserSetupBody {
  email: string
}

export interface SignInBody {
  email: string
  password: string
}

export interface SignInByLinkBody {
  token: string
}

export interface SignOutBody {
  refreshToken: string
}

export interface ChangeMeBody {
  firstName?: string | null
  lastName?: string | null
  preferences?: Record<string, unknown>
}

export interface CreateMyTokenBody {
  name: string
  expiresAt?: string | null
}

export interface ListMyTokensQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name"
}

export interface ListMySessionsQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
}

export interface AssignAccountOwnerBody {
  email: string
  firstName?: string | null
  lastName?: string | null
}

export interface ChangeAccountBody {
  name?: string | null
  defaultCurrency?: string
  defaultCommissionSettings?: {
    layerRates: number[]
  }
  invitationsFromPartners?: boolean
  payoutDelay?: 0 | 7 | 14 | 30 | 45 | 60 | 90
  minimumPayout?: number
  timeZone?: string
  leadProtectionDays?: number
  attributionModel?: "last-touch" | "first-touch"
  partnerVisibility?: {
    leadNames?: boolean
    leadEmails?: boolean
    saleAmounts?: boolean
  }
  partnerLeadSubmission?: boolean
  recurringMonths?: number | null
  selfReferralPolicy?: "allow" | "flag" | "hold" | "refuse"
}

export interface ChangeAutoPayoutSettingsBody {
  enabled?: boolean
  wiseToken?: string | null
  wiseProfileId?: string | null
  maxPerPayout?: number | null
  maxPerRun?: number | null
}

export interface CreateAccountBody {
  name?: string | null
  defaultCurrency?: string
  defaultCommissionSettings?: {
    layerRates: number[]
  }
  owner?: {
    email: string
    firstName?: string | null
    lastName?: string | null
  } | null
}

export interface ListAccountsQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name"
  status?: OneOrMany<"enabled" | "disabled">
}

export type DisableAccountBody = {
  reason?: string | null
} | null

export interface DownloadAccountsQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name"
  status?: OneOrMany<"enabled" | "disabled">
  columns?: OneOrMany<"id" | "name" | "displayName" | "publicId" | "ownerEmail" | "ownerFirstName" | "ownerLastName" | "defaultCurrency" | "timeZone" | "payoutDelay" | "minimumPayout" | "autoPayoutsEnabled" | "invitationsFromPartners" | "partnerLeadSubmission" | "leadProtectionDays" | "attributionModel" | "recurringMonths" | "selfReferralPolicy" | "disabledAt" | "disabledReason" | "numberOfPartners" | "numberOfLeads" | "numberOfSales" | "numberOfClicks" | "salesRevenue" | "salesRevenueShare" | "salesProfit" | "currency" | "createdAt" | "updatedAt">
}

export interface DownloadAuditQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  subjectId?: OneOrMany<string>
  actorId?: OneOrMany<string>
  action?: OneOrMany<"account" | "administrator" | "api-key" | "commission" | "embed-code" | "exchange-rate" | "import" | "incoming-webhook" | "invitation" | "lead" | "link-blueprint" | "list" | "outgoing-webhook" | "partner" | "password" | "payment-provider" | "payout" | "role" | "sale" | "session" | "sign-in" | "system" | "user-token" | "account.api-key-renewed" | "account.auto-payouts-updated" | "account.created" | "account.disabled" | "account.enabled" | "account.exported" | "account.imported" | "account.owner-assigned" | "account.payouts-paused" | "account.payouts-resumed" | "account.transfer-dismissed" | "account.updated" | "administrator.invited" | "api-key.created" | "api-key.deleted" | "api-key.narrowed" | "api-key.rotated" | "commission.created" | "commission.due" | "commission.paid" | "commission.reversed" | "embed-code.updated" | "exchange-rate.entered" | "import.canceled" | "import.started" | "import.undone" | "incoming-webhook.created" | "incoming-webhook.deleted" | "incoming-webhook.updated" | "incoming-webhook.url-rotated" | "invitation.changed" | "invitation.link-made" | "invitation.revoked" | "lead.created" | "lead.deleted" | "lead.noted" | "lead.reassigned" | "lead.registered-again" | "lead.status-changed" | "lead.updated" | "link-blueprint.created" | "link-blueprint.deleted" | "link-blueprint.updated" | "list.downloaded" | "outgoing-webhook.created" | "outgoing-webhook.deleted" | "outgoing-webhook.secret-rotated" | "outgoing-webhook.updated" | "partner.adjusted" | "partner.created" | "partner.deleted" | "partner.invitation-accepted" | "partner.invitation-sent" | "partner.noted" | "partner.payout-settings-updated" | "partner.promotion-code-added" | "partner.promotion-code-deleted" | "partner.reminded" | "partner.updated" | "password.changed" | "password.reset" | "password.reset-link-made" | "password.set-up" | "payment-provider.connected" | "payment-provider.credentials-replaced" | "payment-provider.disconnected" | "payment-provider.unhealthy" | "payment-provider.webhook-secret-changed" | "payout.approved" | "payout.awaiting-funding" | "payout.cancel-asked" | "payout.canceled" | "payout.due" | "payout.entries-released" | "payout.failed" | "payout.imported" | "payout.paid" | "payout.processing" | "payout.recovered" | "payout.retried" | "payout.returned" | "payout.sent" | "payout.set-back" | "payout.stepped-back" | "payout.taken-back" | "role.granted" | "role.removed" | "sale.created" | "sale.dispute-closed" | "sale.disputed" | "sale.refunded" | "sale.updated" | "sale.voided" | "session.ended-for-reuse" | "sign-in" | "sign-in.by-link" | "system.retried" | "user-token.created" | "user-token.deleted">
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
  columns?: OneOrMany<"id" | "at" | "actorType" | "actorId" | "actorName" | "network" | "action" | "subjectType" | "subjectId" | "subjectName" | "changes" | "currency">
}

export interface DownloadExchangeRatesQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "date" | "-date"
  columns?: OneOrMany<"currency" | "date" | "rate" | "source">
}

export type EnableAccountBody = {
  reason?: string | null
} | null

export interface EnterExchangeRateBody {
  currency: string
  date: string
  rate: number
}

export interface ListExchangeRatesQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "date" | "-date"
}

export interface GetDashboardQuery {
  compare?: string
}

export interface ListAuditQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  subjectId?: OneOrMany<string>
  actorId?: OneOrMany<string>
  action?: OneOrMany<"account" | "administrator" | "api-key" | "commission" | "embed-code" | "exchange-rate" | "import" | "incoming-webhook" | "invitation" | "lead" | "link-blueprint" | "list" | "outgoing-webhook" | "partner" | "password" | "payment-provider" | "payout" | "role" | "sale" | "session" | "sign-in" | "system" | "user-token" | "account.api-key-renewed" | "account.auto-payouts-updated" | "account.created" | "account.disabled" | "account.enabled" | "account.exported" | "account.imported" | "account.owner-assigned" | "account.payouts-paused" | "account.payouts-resumed" | "account.transfer-dismissed" | "account.updated" | "administrator.invited" | "api-key.created" | "api-key.deleted" | "api-key.narrowed" | "api-key.rotated" | "commission.created" | "commission.due" | "commission.paid" | "commission.reversed" | "embed-code.updated" | "exchange-rate.entered" | "import.canceled" | "import.started" | "import.undone" | "incoming-webhook.created" | "incoming-webhook.deleted" | "incoming-webhook.updated" | "incoming-webhook.url-rotated" | "invitation.changed" | "invitation.link-made" | "invitation.revoked" | "lead.created" | "lead.deleted" | "lead.noted" | "lead.reassigned" | "lead.registered-again" | "lead.status-changed" | "lead.updated" | "link-blueprint.created" | "link-blueprint.deleted" | "link-blueprint.updated" | "list.downloaded" | "outgoing-webhook.created" | "outgoing-webhook.deleted" | "outgoing-webhook.secret-rotated" | "outgoing-webhook.updated" | "partner.adjusted" | "partner.created" | "partner.deleted" | "partner.invitation-accepted" | "partner.invitation-sent" | "partner.noted" | "partner.payout-settings-updated" | "partner.promotion-code-added" | "partner.promotion-code-deleted" | "partner.reminded" | "partner.updated" | "password.changed" | "password.reset" | "password.reset-link-made" | "password.set-up" | "payment-provider.connected" | "payment-provider.credentials-replaced" | "payment-provider.disconnected" | "payment-provider.unhealthy" | "payment-provider.webhook-secret-changed" | "payout.approved" | "payout.awaiting-funding" | "payout.cancel-asked" | "payout.canceled" | "payout.due" | "payout.entries-released" | "payout.failed" | "payout.imported" | "payout.paid" | "payout.processing" | "payout.recovered" | "payout.retried" | "payout.returned" | "payout.sent" | "payout.set-back" | "payout.stepped-back" | "payout.taken-back" | "role.granted" | "role.removed" | "sale.created" | "sale.dispute-closed" | "sale.disputed" | "sale.refunded" | "sale.updated" | "sale.voided" | "session.ended-for-reuse" | "sign-in" | "sign-in.by-link" | "system.retried" | "user-token.created" | "user-token.deleted">
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
}

export interface ListWiseProfilesAnswer {
  items: WiseProfile[]
}

export interface AddPromotionCodeBody {
  code: string
}

export interface ListPromotionCodesQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "code" | "-code"
}

export interface AdjustBalanceBody {
  amount: number
  reason: string
}

export interface ArchivePartnerBody {
  subPartners?: "move-up" | "keep"
  balance?: "pay-out" | "void"
  reason?: string | null
}

export interface ChangePartnerBody {
  firstName?: string | null
  lastName?: string | null
  email?: string
  note?: string | null
  referralCode?: string
  commissionSettings?: {
    layerRates: number[]
  } | null
  approvedPayoutYears?: number[]
  parentPartnerId?: string | null
  taxForm?: {
    kind: "w-9" | "w-8ben" | "w-8ben-e"
    receivedOn: string
  } | null
  state?: "active" | "suspended"
  reason?: string | null
}

export interface CreatePartnerBody {
  firstName?: string | null
  lastName?: string | null
  email: string
  note?: string | null
  referralCode?: string | null
  commissionSettings?: {
    layerRates: number[]
  } | null
  sendInvitation?: boolean
  parentPartnerId?: string | null
}

export interface ListPartnersQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name" | "salesRevenue" | "-salesRevenue"
  state?: OneOrMany<"invited" | "active" | "suspended" | "archived">
  parentPartnerId?: OneOrMany<string>
  approved?: boolean
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
}

export interface CreatePartnersBody {
  partners: unknown[]
  sendInvitation?: boolean
}

export interface CreatePartnersAnswer {
  results: AddedPartner[]
}

export interface CreateSubPartnerBody {
  firstName?: string | null
  lastName?: string | null
  email: string
  note?: string | null
  referralCode?: string | null
  commissionSettings?: {
    layerRates: number[]
  } | null
  sendInvitation?: boolean
}

export interface ListSubPartnersQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name" | "salesRevenue" | "-salesRevenue"
  state?: OneOrMany<"invited" | "active" | "suspended" | "archived">
  parentPartnerId?: OneOrMany<string>
  approved?: boolean
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
}

export interface SavePayoutSettingsBody {
  legalType: "PRIVATE" | "BUSINESS"
  name: string
  routingNumber: string
  accountNumber: string
  accountType: "CHECKING" | "SAVINGS"
  address: {
    country?: "us"
    state: string
    city: string
    addressLine: string
    zipCode: string
  }
}

export interface DownloadBalancesQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "due" | "-due" | "nextPayoutDate" | "-nextPayoutDate"
  partnerId?: OneOrMany<string>
  blocked?: boolean
  empty?: OneOrMany<"true" | "false">
  columns?: OneOrMany<"partnerId" | "partnerName" | "currency" | "held" | "due" | "onHold" | "inPayout" | "paid" | "nextPayoutDate" | "dueSince" | "blockers">
}

export interface DownloadPartnerCommissionsQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "availableAt" | "-availableAt" | "amount" | "-amount"
  status?: OneOrMany<"held" | "due" | "in-payout" | "paid" | "on-hold" | "void">
  kind?: OneOrMany<"earned" | "reversal" | "restoration" | "adjustment" | "bonus">
  saleId?: OneOrMany<string>
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
  columns?: OneOrMany<"id" | "saleId" | "refundId" | "partnerId" | "partnerName" | "layer" | "rate" | "baseAmount" | "amount" | "currency" | "kind" | "status" | "availableAt" | "payoutId" | "reason" | "createdAt" | "saleDate" | "saleDescription" | "leadId" | "leadName" | "refundKind" | "refundAt" | "holdUntil" | "holdReason">
}

export interface DownloadPartnersQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name" | "salesRevenue" | "-salesRevenue"
  state?: OneOrMany<"invited" | "active" | "suspended" | "archived">
  parentPartnerId?: OneOrMany<string>
  approved?: boolean
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
  columns?: OneOrMany<"id" | "firstName" | "lastName" | "email" | "referralCode" | "state" | "parentPartnerId" | "numberOfPartners" | "numberOfLeads" | "numberOfSales" | "salesRevenue" | "salesRevenueShare" | "balanceDue" | "currency" | "approvedForPayouts" | "invitationStatus" | "createdAt" | "note">
}

export interface DownloadPromotionCodesQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "code" | "-code"
  columns?: OneOrMany<"id" | "partnerId" | "code" | "createdAt">
}

export interface DownloadSubPartnersQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name" | "salesRevenue" | "-salesRevenue"
  state?: OneOrMany<"invited" | "active" | "suspended" | "archived">
  parentPartnerId?: OneOrMany<string>
  approved?: boolean
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
  columns?: OneOrMany<"id" | "firstName" | "lastName" | "email" | "referralCode" | "state" | "parentPartnerId" | "numberOfPartners" | "numberOfLeads" | "numberOfSales" | "salesRevenue" | "salesRevenueShare" | "balanceDue" | "currency" | "approvedForPayouts" | "invitationStatus" | "createdAt">
}

export interface ListBalancesQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "due" | "-due" | "nextPayoutDate" | "-nextPayoutDate"
  partnerId?: OneOrMany<string>
  blocked?: boolean
  empty?: OneOrMany<"true" | "false">
}

export interface ListPartnerCommissionsQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "availableAt" | "-availableAt" | "amount" | "-amount"
  status?: OneOrMany<"held" | "due" | "in-payout" | "paid" | "on-hold" | "void">
  kind?: OneOrMany<"earned" | "reversal" | "restoration" | "adjustment" | "bonus">
  saleId?: OneOrMany<string>
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
}

export interface RemindPartnerBody {
  kind: "payout-settings" | "invitation"
}

export interface ChangeLinkBlueprintBody {
  name?: string
  destinationUrl?: string
  parameterName?: string
  utm?: {
    source?: string | null
    medium?: string | null
    campaign?: string | null
    term?: string | null
    content?: string | null
  } | null
  cookieDays?: number
  attributionModel?: "last-touch" | "first-touch"
  passthroughQuery?: boolean
  commissionSettings?: {
    layerRates: number[]
  } | null
  enabled?: boolean
}

export interface CreateLinkBlueprintBody {
  name: string
  destinationUrl: string
  parameterName?: string
  utm?: {
    source?: string | null
    medium?: string | null
    campaign?: string | null
    term?: string | null
    content?: string | null
  } | null
  cookieDays?: number
  attributionModel?: "last-touch" | "first-touch"
  passthroughQuery?: boolean
  commissionSettings?: {
    layerRates: number[]
  } | null
  enabled?: boolean
}

export interface ListLinkBlueprintsQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name" | "clicks" | "-clicks" | "leads" | "-leads" | "sales" | "-sales"
  enabled?: boolean
}

export interface DownloadBlueprintLinksQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name" | "clicks" | "-clicks" | "leads" | "-leads" | "sales" | "-sales"
  partnerId?: OneOrMany<string>
  columns?: OneOrMany<"partnerId" | "displayName" | "url" | "shortUrl" | "clicks" | "leads" | "sales">
}

export interface DownloadLinkBlueprintsQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name" | "clicks" | "-clicks" | "leads" | "-leads" | "sales" | "-sales"
  enabled?: boolean
  columns?: OneOrMany<"id" | "key" | "accountId" | "name" | "destinationUrl" | "domain" | "parameterName" | "utmSource" | "utmMedium" | "utmCampaign" | "utmTerm" | "utmContent" | "cookieDays" | "attributionModel" | "passthroughQuery" | "enabled" | "clicks" | "uniqueClicks" | "leads" | "sales" | "revenue" | "createdAt" | "updatedAt">
}

export interface DownloadPartnerLinksQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name" | "clicks" | "-clicks" | "leads" | "-leads" | "sales" | "-sales"
  columns?: OneOrMany<"blueprintId" | "name" | "url" | "shortUrl" | "clicks" | "leads" | "sales">
}

export interface ListBlueprintLinksQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name" | "clicks" | "-clicks" | "leads" | "-leads" | "sales" | "-sales"
  partnerId?: OneOrMany<string>
}

export interface ListPartnerLinksQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name" | "clicks" | "-clicks" | "leads" | "-leads" | "sales" | "-sales"
}

export interface TestLinkBody {
  destinationUrl: string
  parameterName?: string
}

export interface AddLeadNoteBody {
  text: string
  shared?: boolean
}

export interface ChangeLeadBody {
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  phone?: string | null
  company?: string | null
  externalId?: string | null
  metadata?: Record<string, string>
  protectedUntil?: string | null
}

export interface ChangeLeadStatusBody {
  status: "new" | "qualified" | "won" | "lost" | "rejected" | "expired" | "duplicate"
  reason?: string
  note?: string | null
  sharedNote?: string | null
}

export interface CreateLeadBody {
  partnerId?: string | null
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  phone?: string | null
  company?: string | null
  externalId?: string | null
  metadata?: Record<string, string>
}

export interface ListLeadsQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name" | "salesRevenue" | "-salesRevenue"
  status?: OneOrMany<"new" | "qualified" | "won" | "lost" | "rejected" | "expired" | "duplicate">
  source?: OneOrMany<"embed" | "manual" | "api" | "incoming-webhook" | "provider" | "import" | "partner">
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
  partnerId?: OneOrMany<string>
  blueprintId?: OneOrMany<string>
  duplicateOfId?: OneOrMany<string>
  unanswered?: true
}

export interface DownloadLeadEventsQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  columns?: OneOrMany<"at" | "type" | "actor" | "text" | "link">
}

export interface DownloadLeadSubmissionsQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  columns?: OneOrMany<"at" | "source">
}

export interface DownloadLeadsQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name" | "salesRevenue" | "-salesRevenue"
  status?: OneOrMany<"new" | "qualified" | "won" | "lost" | "rejected" | "expired" | "duplicate">
  source?: OneOrMany<"embed" | "manual" | "api" | "incoming-webhook" | "provider" | "import" | "partner">
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
  partnerId?: OneOrMany<string>
  blueprintId?: OneOrMany<string>
  duplicateOfId?: OneOrMany<string>
  unanswered?: true
  columns?: OneOrMany<"id" | "accountId" | "partnerId" | "partnerName" | "blueprintId" | "clickId" | "firstName" | "lastName" | "displayName" | "email" | "phone" | "company" | "externalId" | "source" | "status" | "statusReason" | "sharedNote" | "protectedUntil" | "landingUrl" | "referrer" | "duplicateOfId" | "attributionModel" | "attributionMatchedBy" | "attributionAt" | "selfReferral" | "numberOfSales" | "salesRevenue" | "salesRevenueShare" | "salesProfit" | "currency" | "createdAt" | "updatedAt">
}

export interface DownloadPartnerLeadsQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name" | "salesRevenue" | "-salesRevenue"
  status?: OneOrMany<"new" | "qualified" | "won" | "lost" | "rejected" | "expired" | "duplicate">
  source?: OneOrMany<"embed" | "manual" | "api" | "incoming-webhook" | "provider" | "import" | "partner">
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
  columns?: OneOrMany<"id" | "accountId" | "partnerId" | "partnerName" | "blueprintId" | "clickId" | "firstName" | "lastName" | "displayName" | "email" | "phone" | "company" | "externalId" | "source" | "status" | "statusReason" | "sharedNote" | "protectedUntil" | "landingUrl" | "referrer" | "duplicateOfId" | "attributionModel" | "attributionMatchedBy" | "attributionAt" | "selfReferral" | "numberOfSales" | "salesRevenue" | "salesRevenueShare" | "salesProfit" | "currency" | "createdAt" | "updatedAt">
}

export interface FindSimilarLeadsQuery {
  email?: string
  company?: string
  leadId?: string
}

export interface ListLeadEventsQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
}

export interface ListLeadSubmissionsQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
}

export interface ListPartnerLeadsQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name" | "salesRevenue" | "-salesRevenue"
  status?: OneOrMany<"new" | "qualified" | "won" | "lost" | "rejected" | "expired" | "duplicate">
  source?: OneOrMany<"embed" | "manual" | "api" | "incoming-webhook" | "provider" | "import" | "partner">
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
}

export interface SubmitLeadBody {
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  phone?: string | null
  company?: string | null
  note?: string | null
}

export interface ReassignLeadBody {
  partnerId: string | null
  reason?: string
  creditEarlierSales?: boolean
  preview?: boolean
}

export interface AttributeSaleBody {
  partnerId?: string
  leadId?: string
  reason?: string
  creditEarlierSales?: boolean
  preview?: boolean
}

export interface ChangeSaleBody {
  description?: string | null
}

export interface CreateSaleBody {
  amount: number
  currency?: string
  saleDate?: string
  taxAmount?: number
  externalId?: string | null
  description?: string | null
}

export interface ListLeadSalesQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "saleDate" | "-saleDate" | "amount" | "-amount"
}

export interface DownloadLeadSalesQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "saleDate" | "-saleDate" | "amount" | "-amount"
  columns?: OneOrMany<"id" | "accountId" | "leadId" | "leadName" | "partnerId" | "partnerName" | "provider" | "externalId" | "amount" | "grossAmount" | "taxAmount" | "currency" | "accountAmount" | "accountCurrency" | "fxRate" | "fxDate" | "saleDate" | "description" | "subscriptionId" | "sequence" | "refundedAmount" | "status" | "matchedBy" | "livemode" | "payerEmail" | "providerCustomerId" | "holdRule" | "holdPolicy" | "holdReason" | "holdUntil" | "voidReason" | "createdAt">
}

export interface DownloadRevenueLinesQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "day" | "-day"
  kind?: OneOrMany<"sale" | "refund" | "dispute" | "restoration" | "void">
  status?: OneOrMany<"completed" | "partially-refunded" | "refunded" | "disputed" | "charged-back" | "void">
  provider?: OneOrMany<"stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic" | "manual" | "api" | "incoming-webhook" | "import">
  partnerId?: OneOrMany<string>
  blueprintId?: OneOrMany<string>
  leadId?: OneOrMany<string>
  onHold?: true
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
  columns?: OneOrMany<"id" | "kind" | "day" | "saleId" | "leadId" | "leadName" | "partnerId" | "partnerName" | "blueprintId" | "provider" | "externalId" | "livemode" | "status" | "onHold" | "holdUntil" | "holdReason" | "amount" | "share" | "profit">
}

export interface DownloadSaleCommissionsQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  columns?: OneOrMany<"id" | "saleId" | "refundId" | "partnerId" | "partnerName" | "layer" | "rate" | "baseAmount" | "amount" | "currency" | "kind" | "status" | "availableAt" | "payoutId" | "reason" | "createdAt">
}

export interface DownloadSalesQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "saleDate" | "-saleDate" | "amount" | "-amount"
  status?: OneOrMany<"completed" | "partially-refunded" | "refunded" | "disputed" | "charged-back" | "void">
  provider?: OneOrMany<"stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic" | "manual" | "api" | "incoming-webhook" | "import">
  partnerId?: OneOrMany<string>
  leadId?: OneOrMany<string>
  unattributed?: boolean
  test?: boolean
  onHold?: true
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
  columns?: OneOrMany<"id" | "accountId" | "leadId" | "leadName" | "partnerId" | "partnerName" | "provider" | "externalId" | "amount" | "grossAmount" | "taxAmount" | "currency" | "accountAmount" | "accountCurrency" | "fxRate" | "fxDate" | "saleDate" | "description" | "subscriptionId" | "sequence" | "refundedAmount" | "status" | "matchedBy" | "livemode" | "payerEmail" | "providerCustomerId" | "holdRule" | "holdPolicy" | "holdReason" | "holdUntil" | "voidReason" | "createdAt">
}

export interface ListRevenueLinesQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "day" | "-day"
  kind?: OneOrMany<"sale" | "refund" | "dispute" | "restoration" | "void">
  status?: OneOrMany<"completed" | "partially-refunded" | "refunded" | "disputed" | "charged-back" | "void">
  provider?: OneOrMany<"stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic" | "manual" | "api" | "incoming-webhook" | "import">
  partnerId?: OneOrMany<string>
  blueprintId?: OneOrMany<string>
  leadId?: OneOrMany<string>
  onHold?: true
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
}

export interface ListSaleCommissionsQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
}

export interface ListSalesQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "saleDate" | "-saleDate" | "amount" | "-amount"
  status?: OneOrMany<"completed" | "partially-refunded" | "refunded" | "disputed" | "charged-back" | "void">
  provider?: OneOrMany<"stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic" | "manual" | "api" | "incoming-webhook" | "import">
  partnerId?: OneOrMany<string>
  leadId?: OneOrMany<string>
  unattributed?: boolean
  test?: boolean
  onHold?: true
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
}

export interface PreviewCommissionBody {
  partnerId?: string
  leadId?: string
  amount: number
  currency?: string
  saleDate?: string
}

export interface PreviewRatesBody {
  commissionSettings: {
    layerRates: number[]
  } | null
  partnerId?: string
  blueprintId?: string
}

export interface RefundSaleBody {
  amount?: number
  reason: string
}

export interface ReleaseSaleBody {
  reason: string
}

export interface VoidSaleBody {
  reason: string
}

export interface DownloadCommissionsQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "availableAt" | "-availableAt"
  status?: OneOrMany<"held" | "due" | "in-payout" | "paid" | "on-hold" | "void">
  partner?: OneOrMany<string>
  layer?: OneOrMany<"0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "none">
  kind?: OneOrMany<"earned" | "reversal" | "restoration" | "adjustment" | "bonus">
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
  dueFrom?: string
  dueTo?: string
  columns?: OneOrMany<"id" | "saleId" | "refundId" | "partnerId" | "partnerName" | "layer" | "rate" | "baseAmount" | "amount" | "currency" | "kind" | "status" | "availableAt" | "payoutId" | "reason" | "createdAt" | "saleDate" | "saleDescription" | "leadId" | "leadName" | "refundKind" | "refundAt" | "holdUntil" | "holdReason">
}

export interface ListCommissionsQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "availableAt" | "-availableAt"
  status?: OneOrMany<"held" | "due" | "in-payout" | "paid" | "on-hold" | "void">
  partner?: OneOrMany<string>
  layer?: OneOrMany<"0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "none">
  kind?: OneOrMany<"earned" | "reversal" | "restoration" | "adjustment" | "bonus">
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
  dueFrom?: string
  dueTo?: string
}

export interface ApplyPayoutResultsBody {
  csv: string
  dryRun: boolean
}

export interface ApproveForTaxYearBody {
  partnerIds?: string[]
  all?: true
  approved?: boolean
}

export interface ApproveForTaxYearAnswer {
  partnerIds: string[]
}

export interface ApprovePayoutBody {
  amount?: number
  detailsVersion?: string | null
}

export interface ApprovePayoutsBody {
  ids: string[]
  preview?: boolean
  shown?: {
    id: string
    amount?: number
    detailsVersion?: string | null
  }[]
}

export interface ChangeTaxYearBody {
  threshold: number | null
}

export interface ListTaxYearQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "paid" | "-paid" | "name" | "-name"
  overThreshold?: boolean
  approved?: boolean
  paid?: boolean
  taxForm?: OneOrMany<"on-file" | "expired" | "missing">
  toApprove?: true
}

export interface ConfirmPayoutReconciliationBody {
  decisions?: {
    transferId: string
    action: "record" | "dismiss"
    partnerId?: string
  }[]
}

export interface DownloadPartnerPayoutsQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "amount" | "-amount" | "scheduledFor" | "-scheduledFor" | "paidOn" | "-paidOn"
  status?: OneOrMany<"open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled">
  attention?: OneOrMany<"approve" | "fund" | "remind" | "approve-year" | "fix-details" | "retry" | "reconnect" | "decide" | "none">
  paidYear?: string
  paidFrom?: string
  paidTo?: string
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
  partnerId?: OneOrMany<string>
  columns?: OneOrMany<"id" | "accountId" | "partnerId" | "partnerName" | "amount" | "currency" | "status" | "method" | "periodStart" | "periodEnd" | "scheduledFor" | "approvedAt" | "approvedBy" | "sentAt" | "paidAt" | "paidOn" | "failureReason" | "externalReference" | "statementNumber" | "detailsVersion" | "createdAt" | "updatedAt">
}

export interface DownloadPayoutEntriesQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  columns?: OneOrMany<"id" | "saleId" | "refundId" | "partnerId" | "partnerName" | "layer" | "rate" | "baseAmount" | "amount" | "currency" | "kind" | "status" | "availableAt" | "payoutId" | "reason" | "createdAt" | "saleDate" | "saleDescription" | "leadId" | "leadName" | "refundKind" | "refundAt" | "holdUntil" | "holdReason">
}

export interface DownloadPayoutsQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "amount" | "-amount" | "scheduledFor" | "-scheduledFor" | "paidOn" | "-paidOn"
  status?: OneOrMany<"open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled">
  attention?: OneOrMany<"approve" | "fund" | "remind" | "approve-year" | "fix-details" | "retry" | "reconnect" | "decide" | "none">
  paidYear?: string
  paidFrom?: string
  paidTo?: string
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
  partnerId?: OneOrMany<string>
  columns?: OneOrMany<"id" | "accountId" | "partnerId" | "partnerName" | "amount" | "currency" | "status" | "method" | "periodStart" | "periodEnd" | "scheduledFor" | "approvedAt" | "approvedBy" | "sentAt" | "paidAt" | "paidOn" | "failureReason" | "externalReference" | "statementNumber" | "detailsVersion" | "createdAt" | "updatedAt" | "blockers">
  format?: "plain" | "wise-batch"
}

export interface DownloadTaxYearQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "paid" | "-paid" | "name" | "-name"
  overThreshold?: boolean
  approved?: boolean
  paid?: boolean
  taxForm?: OneOrMany<"on-file" | "expired" | "missing">
  toApprove?: true
  columns?: OneOrMany<"partnerId" | "partnerName" | "email" | "currency" | "paid" | "payouts" | "method" | "approved" | "taxFormKind" | "taxFormReceivedOn" | "taxFormExpired" | "overThreshold">
}

export interface GetPayoutStatementQuery {
  paper?: "a4" | "letter"
}

export interface ListPartnerPayoutsQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "amount" | "-amount" | "scheduledFor" | "-scheduledFor" | "paidOn" | "-paidOn"
  status?: OneOrMany<"open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled">
  attention?: OneOrMany<"approve" | "fund" | "remind" | "approve-year" | "fix-details" | "retry" | "reconnect" | "decide" | "none">
  paidYear?: string
  paidFrom?: string
  paidTo?: string
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
  partnerId?: OneOrMany<string>
}

export interface ListPayoutEntriesQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
}

export interface ListPayoutsQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "amount" | "-amount" | "scheduledFor" | "-scheduledFor" | "paidOn" | "-paidOn"
  status?: OneOrMany<"open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled">
  attention?: OneOrMany<"approve" | "fund" | "remind" | "approve-year" | "fix-details" | "retry" | "reconnect" | "decide" | "none">
  paidYear?: string
  paidFrom?: string
  paidTo?: string
  /** The first day. */
  from?: string
  /** The last day, inclusive. */
  to?: string
  partnerId?: OneOrMany<string>
}

export interface MarkPayoutPaidBody {
  reference: string
  paidAt?: string
  amount?: number
}

export interface MarkPayoutsPaidBody {
  ids?: string[]
  reference?: string
  paidAt?: string
  items?: {
    id: string
    reference: string
    paidAt?: string
    amount?: number
  }[]
}

export interface RefreshPayoutsBody {
  gatherOnly?: boolean
}

export interface RefreshPayoutsAnswer {
  due: number
  blocked: number
}

export interface ChangeConnectionBody {
  webhookSecret?: string | null
  credentials?: Record<string, string>
}

export interface ConnectProviderBody {
  provider: "stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic"
  code?: string
  state?: string
  credentials?: Record<string, string>
}

export interface DisconnectProviderBody {
  connectionId: string
}

export interface DownloadConnectionsQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  columns?: OneOrMany<"id" | "accountId" | "createdAt" | "provider" | "accountName" | "defaultCurrency" | "providerAccountIdentifier" | "method" | "livemode" | "state" | "stateReason" | "webhookUrl" | "webhookSecretSet" | "lastEventAt" | "eventsLast24h" | "reconciledAt">
}

export interface DownloadProviderEventsQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  state?: OneOrMany<"received" | "processed" | "ignored" | "failed" | "waiting">
  columns?: OneOrMany<"id" | "externalId" | "type" | "at" | "receivedAt" | "state" | "reason" | "saleId">
}

export interface GetConnectUrlAnswer {
  url: string
}

export interface ImportPastSalesBody {
  from: string
  to: string
  dryRun: boolean
}

export interface ListAvailableProvidersAnswer {
  items: AvailableProvider[]
}

export interface ListConnectionsQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
}

export interface ListProviderEventsQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  state?: OneOrMany<"received" | "processed" | "ignored" | "failed" | "waiting">
}

export interface ChangeOutgoingWebhookBody {
  name?: string
  url?: string
  events?: ("*" | "lead.created" | "lead.updated" | "lead.status-changed" | "lead.reassigned" | "lead.deleted" | "sale.created" | "sale.updated" | "sale.refunded" | "sale.disputed" | "sale.dispute-closed" | "sale.voided" | "commission.created" | "commission.reversed" | "commission.due" | "commission.paid" | "payout.due" | "payout.approved" | "payout.awaiting-funding" | "payout.sent" | "payout.paid" | "payout.failed" | "payout.returned" | "payout.canceled" | "partner.created" | "partner.updated" | "partner.invitation-sent" | "partner.invitation-accepted" | "partner.payout-settings-updated" | "partner.deleted" | "link-blueprint.created" | "link-blueprint.updated" | "link-blueprint.deleted" | "payment-provider.connected" | "payment-provider.disconnected" | "payment-provider.unhealthy")[]
  headers?: Record<string, string>
  enabled?: boolean
}

export interface CreateOutgoingWebhookBody {
  name: string
  url: string
  events: ("*" | "lead.created" | "lead.updated" | "lead.status-changed" | "lead.reassigned" | "lead.deleted" | "sale.created" | "sale.updated" | "sale.refunded" | "sale.disputed" | "sale.dispute-closed" | "sale.voided" | "commission.created" | "commission.reversed" | "commission.due" | "commission.paid" | "payout.due" | "payout.approved" | "payout.awaiting-funding" | "payout.sent" | "payout.paid" | "payout.failed" | "payout.returned" | "payout.canceled" | "partner.created" | "partner.updated" | "partner.invitation-sent" | "partner.invitation-accepted" | "partner.payout-settings-updated" | "partner.deleted" | "link-blueprint.created" | "link-blueprint.updated" | "link-blueprint.deleted" | "payment-provider.connected" | "payment-provider.disconnected" | "payment-provider.unhealthy")[]
  headers?: Record<string, string>
  enabled?: boolean
}

export interface ListOutgoingWebhooksQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name"
}

export interface DownloadOutgoingDeliveriesQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  state?: OneOrMany<"pending" | "delivered" | "retrying" | "failed">
  event?: OneOrMany<"lead.created" | "lead.updated" | "lead.status-changed" | "lead.reassigned" | "lead.deleted" | "sale.created" | "sale.updated" | "sale.refunded" | "sale.disputed" | "sale.dispute-closed" | "sale.voided" | "commission.created" | "commission.reversed" | "commission.due" | "commission.paid" | "payout.due" | "payout.approved" | "payout.awaiting-funding" | "payout.sent" | "payout.paid" | "payout.failed" | "payout.returned" | "payout.canceled" | "partner.created" | "partner.updated" | "partner.invitation-sent" | "partner.invitation-accepted" | "partner.payout-settings-updated" | "partner.deleted" | "link-blueprint.created" | "link-blueprint.updated" | "link-blueprint.deleted" | "payment-provider.connected" | "payment-provider.disconnected" | "payment-provider.unhealthy" | "webhook.test">
  since?: string
  columns?: OneOrMany<"id" | "eventId" | "event" | "state" | "code" | "durationMs" | "attempts" | "nextAttemptAt" | "requestBody" | "responseBody" | "createdAt">
}

export interface DownloadOutgoingWebhooksQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name"
  columns?: OneOrMany<"id" | "accountId" | "name" | "url" | "enabled" | "disabledReason" | "consecutiveFailures" | "lastDeliveryAt" | "createdAt" | "updatedAt" | "events">
}

export interface ListOutgoingDeliveriesQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  state?: OneOrMany<"pending" | "delivered" | "retrying" | "failed">
  event?: OneOrMany<"lead.created" | "lead.updated" | "lead.status-changed" | "lead.reassigned" | "lead.deleted" | "sale.created" | "sale.updated" | "sale.refunded" | "sale.disputed" | "sale.dispute-closed" | "sale.voided" | "commission.created" | "commission.reversed" | "commission.due" | "commission.paid" | "payout.due" | "payout.approved" | "payout.awaiting-funding" | "payout.sent" | "payout.paid" | "payout.failed" | "payout.returned" | "payout.canceled" | "partner.created" | "partner.updated" | "partner.invitation-sent" | "partner.invitation-accepted" | "partner.payout-settings-updated" | "partner.deleted" | "link-blueprint.created" | "link-blueprint.updated" | "link-blueprint.deleted" | "payment-provider.connected" | "payment-provider.disconnected" | "payment-provider.unhealthy" | "webhook.test">
  since?: string
}

export interface ListWebhookEventsAnswer {
  items: {
    type: string
    description: string
  }[]
}

export interface ResendFailedBody {
  since: string
}

export interface ResendFailedAnswer {
  count: number
}

export interface ChangeIncomingWebhookBody {
  name?: string
  auth?: {
    type: "url-secret"
  } | {
    type: "header-hmac"
    header: string
    algorithm?: "sha256"
    encoding?: "hex" | "base64"
    prefix?: string | null
    signed?: "body" | "timestamp-dot-body" | "timestamp-colon-body" | "method-url-body-timestamp"
    timestampHeader?: string | null
    secret?: string
  } | {
    type: "basic"
    username: string
    password?: string
  }
  mapping?: {
    field: string
    path?: string | null
    transform?: "none" | "trim" | "lowercase" | "number" | "cents" | "date" | "constant"
    default?: string | null
  }[]
  partnerMatch?: {
    by: "referralCode" | "email" | "id" | "clickId"
    path: string
  } | null
  filters?: {
    path: string
    equals: string
  }[]
  dedupePath?: string | null
  allowedIps?: string[]
  enabled?: boolean
}

export interface CreateIncomingWebhookBody {
  name: string
  auth?: {
    type: "url-secret"
  } | {
    type: "header-hmac"
    header: string
    algorithm?: "sha256"
    encoding?: "hex" | "base64"
    prefix?: string | null
    signed?: "body" | "timestamp-dot-body" | "timestamp-colon-body" | "method-url-body-timestamp"
    timestampHeader?: string | null
    secret?: string
  } | {
    type: "basic"
    username: string
    password?: string
  }
  mapping?: {
    field: string
    path?: string | null
    transform?: "none" | "trim" | "lowercase" | "number" | "cents" | "date" | "constant"
    default?: string | null
  }[]
  partnerMatch?: {
    by: "referralCode" | "email" | "id" | "clickId"
    path: string
  } | null
  filters?: {
    path: string
    equals: string
  }[]
  dedupePath?: string | null
  allowedIps?: string[]
  enabled?: boolean
  target: "lead" | "sale" | "refund" | "lead-status"
}

export interface ListIncomingWebhooksQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name"
}

export interface DownloadIncomingDeliveriesQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  state?: OneOrMany<"received" | "processed" | "ignored" | "failed" | "replayed">
  columns?: OneOrMany<"id" | "state" | "payloadBytes" | "reason" | "madeType" | "madeId" | "receivedAt">
}

export interface DownloadIncomingWebhooksQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name"
  columns?: OneOrMany<"id" | "name" | "target" | "state" | "enabled" | "lastReceivedAt" | "countsProcessed" | "countsIgnored" | "countsFailed" | "createdAt" | "updatedAt">
}

export interface ListIncomingDeliveriesQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  state?: OneOrMany<"received" | "processed" | "ignored" | "failed" | "replayed">
}

export interface ReplayFailedAnswer {
  count: number
}

export interface TestIncomingWebhookBody {
  payload: Record<string, unknown> | unknown[]
  mapping?: {
    field: string
    path?: string | null
    transform?: "none" | "trim" | "lowercase" | "number" | "cents" | "date" | "constant"
    default?: string | null
  }[]
  partnerMatch?: {
    by: "referralCode" | "email" | "id" | "clickId"
    path: string
  } | null
}

export interface CreateImportBody {
  kind: "partners" | "leads" | "sales" | "payouts"
  format?: string
  csv: string
  mapping?: {
    field: string
    column?: string | null
    transform?: "none" | "trim" | "lowercase" | "number" | "cents" | "date" | "constant" | "day-first-date" | "paid-or-not" | "first-name" | "last-name"
    default?: string | null
  }[]
  dryRun: boolean
  settlePaid?: boolean
}

export interface ListImportsQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  kind?: OneOrMany<"partners" | "leads" | "sales" | "payouts" | "past-sales">
  state?: OneOrMany<"waiting" | "running" | "done" | "failed" | "canceled" | "undoing" | "undone">
}

export interface DownloadImportsQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  kind?: OneOrMany<"partners" | "leads" | "sales" | "payouts" | "past-sales">
  state?: OneOrMany<"waiting" | "running" | "done" | "failed" | "canceled" | "undoing" | "undone">
  columns?: OneOrMany<"id" | "kind" | "format" | "connectionId" | "state" | "reason" | "dryRun" | "total" | "done" | "created" | "undone" | "skipped" | "failed" | "unattributed" | "assigned" | "from" | "to" | "undoableUntil" | "createdAt" | "finishedAt">
}

export interface PreviewImportBody {
  csv: string
  kind?: "partners" | "leads" | "sales" | "payouts"
  format?: string
}

export interface CreateApiKeyBody {
  name: string
  rights: ("push" | "read")[]
  expiresAt?: string | null
}

export interface ListApiKeysQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name"
}

export interface DownloadApiKeysQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt" | "name" | "-name"
  columns?: OneOrMany<"id" | "name" | "lastFour" | "lastUsedAt" | "createdAt" | "expiresAt" | "replacedBy">
}

export interface DownloadPushRequestsQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  columns?: OneOrMany<"id" | "path" | "status" | "errorCode" | "errorMessage" | "rows" | "failedRows" | "createdAt">
}

export interface ListPushRequestsQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
}

export interface SaveEmbedCodeBody {
  config?: EmbedConfigInput
  domains?: string[]
  onlyIfReferred?: boolean
  consentMode?: "off" | "required" | "cookieless"
  path?: string | null
}

export interface StartEmbedCheckBody {
  url: string
}

export interface ChangeMailSubscriptionBody {
  enabled: boolean
}

export interface DownloadLoggedMailsQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  state?: OneOrMany<"waiting" | "sent" | "kept" | "refused" | "failed" | "skipped">
  kind?: OneOrMany<"invitation" | "password-reset" | "password-changed" | "session-ended" | "new-key" | "owner-changed" | "payout-settings" | "test" | "new-lead" | "protection-ending" | "sale-credited" | "refund" | "payout-approved" | "payout-sent" | "payout-failed" | "payout-blocked" | "payout-attention" | "payouts-paused" | "payout-reminder" | "payout-details-reminder" | "webhook-failing" | "webhook-turned-off" | "provider-attention" | "backup-failed" | "weekly-summary" | "monthly-statement">
  columns?: OneOrMany<"id" | "kind" | "title" | "email" | "subject" | "state" | "reason" | "tries" | "lastTriedAt" | "createdAt">
}

export interface GetMailStatusAnswer {
  server: MailServer | null
  from: string
}

export interface ListLoggedMailsQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  state?: OneOrMany<"waiting" | "sent" | "kept" | "refused" | "failed" | "skipped">
  kind?: OneOrMany<"invitation" | "password-reset" | "password-changed" | "session-ended" | "new-key" | "owner-changed" | "payout-settings" | "test" | "new-lead" | "protection-ending" | "sale-credited" | "refund" | "payout-approved" | "payout-sent" | "payout-failed" | "payout-blocked" | "payout-attention" | "payouts-paused" | "payout-reminder" | "payout-details-reminder" | "webhook-failing" | "webhook-turned-off" | "provider-attention" | "backup-failed" | "weekly-summary" | "monthly-statement">
}

export interface ListMailChoicesAnswer {
  items: MailChoice[]
}

export interface ListMailPreviewsAnswer {
  items: MailPreview[]
}

export interface SendTestMailBody {
  email: string
}

export interface DownloadParkedQuery {
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  kind?: OneOrMany<"event" | "job">
  columns?: OneOrMany<"id" | "kind" | "name" | "reason" | "tries" | "createdAt" | "keptUntil">
}

export interface ListParkedQuery {
  /** The number of items on a page. */
  limit?: number
  /** The `nextCursor` of the page before. */
  cursor?: string
  /** Matches items that contain these words. */
  search?: string
  sort?: "createdAt" | "-createdAt"
  kind?: OneOrMany<"event" | "job">
}

export interface RetryAllParkedAnswer {
  count: number
}

export interface RetryParkedAnswer {
  count: number
}

/** What each event of a webhook carries. */
export interface WebhookObjects {
  "lead.created": Lead
  "lead.updated": Lead
  "lead.status-changed": Lead
  "lead.reassigned": Lead
  "lead.deleted": Lead
  "sale.created": Sale
  "sale.updated": Sale
  "sale.refunded": Sale
  "sale.disputed": Sale
  "sale.dispute-closed": Sale
  "sale.voided": Sale
  "commission.created": Entry
  "commission.reversed": Entry
  "commission.due": Entry
  "commission.paid": Entry
  "payout.due": Payout
  "payout.approved": Payout
  "payout.awaiting-funding": Payout
  "payout.sent": Payout
  "payout.paid": Payout
  "payout.failed": Payout
  "payout.returned": Payout
  "payout.canceled": Payout
  "partner.created": PartnerTold
  "partner.updated": PartnerTold
  "partner.invitation-sent": PartnerTold
  "partner.invitation-accepted": PartnerTold
  "partner.payout-settings-updated": PayoutDetailsState
  "partner.deleted": PartnerTold
  "link-blueprint.created": LinkBlueprint
  "link-blueprint.updated": LinkBlueprint
  "link-blueprint.deleted": LinkBlueprint
  "payment-provider.connected": Connection
  "payment-provider.disconnected": Connection
  "payment-provider.unhealthy": Connection
}

export class AuthApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Accept an invitation as the invited user. For: everyone signed in. `POST /auth/user-setup/accept` */
  acceptUserSetup(body: AcceptUserSetupBody, options?: CallOptions): Promise<User> {
    const call: Call = { method: 'POST', path: '/auth/user-setup/accept', body }
    return this.#send(call, options)
  }

  /** Set the password, by link or with the current password. All other sessions end. For: the bearer of a set-up or reset link, everyone signed in. `POST /auth/change-password` */
  changePassword(body: ChangePasswordBody, options?: CallOptions): Promise<Session> {
    const call: Call = { method: 'POST', path: '/auth/change-password', body }
    return this.#send(call, options)
  }

  /** Confirm the password. The session counts as freshly signed in for 10 minutes. For: everyone signed in. `POST /auth/confirm` */
  confirmPassword(body: ConfirmPasswordBody, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'POST', path: '/auth/confirm', body }
    return this.#send(call, options)
  }

  /** Retrieve whom a set-up link invites, and whether it is still valid. For: the bearer of a set-up or reset link. `GET /auth/user-setup` */
  getUserSetup(options?: CallOptions): Promise<UserSetup> {
    const call: Call = { method: 'GET', path: '/auth/user-setup' }
    return this.#send(call, options)
  }

  /** Exchange a refresh token for new tokens. The old one stops working. For: everyone. `POST /auth/refresh` */
  refreshSession(body: RefreshSessionBody, options?: CallOptions): Promise<Session> {
    const call: Call = { method: 'POST', path: '/auth/refresh', body, by: 'nobody' }
    return this.#send(call, options)
  }

  /** Email a reset link and a one-time sign-in link, if the address is known. For: everyone. `POST /auth/reset-password` */
  resetPassword(body: ResetPasswordBody, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'POST', path: '/auth/reset-password', body, by: 'nobody' }
    return this.#send(call, options)
  }

  /** Email the set-up link again, renewed if it has expired, if there is an open invitation. For: everyone. `POST /auth/user-setup/retries` */
  retryUserSetup(body: RetryUserSetupBody, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'POST', path: '/auth/user-setup/retries', body, by: 'nobody' }
    return this.#send(call, options)
  }

  /** Sign in with email and password. For: everyone. `POST /auth/sign-in` */
  signIn(body: SignInBody, options?: CallOptions): Promise<Session> {
    const call: Call = { method: 'POST', path: '/auth/sign-in', body, by: 'nobody' }
    return this.#send(call, options)
  }

  /** Sign in with a one-time link from an email. For: everyone. `POST /auth/sign-in/link` */
  signInByLink(body: SignInByLinkBody, options?: CallOptions): Promise<Session> {
    const call: Call = { method: 'POST', path: '/auth/sign-in/link', body, by: 'nobody' }
    return this.#send(call, options)
  }

  /** End the current session. For: everyone. `POST /auth/sign-out` */
  signOut(body: SignOutBody, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'POST', path: '/auth/sign-out', body, by: 'nobody' }
    return this.#send(call, options)
  }
}

export class UsersApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Update the name, and preferences key by key. For: everyone signed in. `PATCH /users/me` */
  changeMe(body?: ChangeMeBody, options?: CallOptions): Promise<Me> {
    const call: Call = { method: 'PATCH', path: '/users/me', body, keyed: true }
    return this.#send(call, options)
  }

  /** Retrieve the signed-in user with all their roles. For: everyone signed in. `GET /users/me` */
  getMe(options?: CallOptions): Promise<Me> {
    const call: Call = { method: 'GET', path: '/users/me' }
    return this.#send(call, options)
  }

  /** Create an access token for an assistant, which reads by the Model Context Protocol. Only this answer holds it. For: everyone signed in. `POST /users/me/tokens` */
  createMyToken(body: CreateMyTokenBody, options?: CallOptions): Promise<UserTokenWithToken> {
    const call: Call = { method: 'POST', path: '/users/me/tokens', body, keyed: true }
    return this.#send(call, options)
  }

  /** List the access tokens of the user. For: everyone signed in. `GET /users/me/tokens` */
  listMyTokens(query?: ListMyTokensQuery, options?: CallOptions): List<Page<UserToken>> {
    return listOf(this.#send, { method: 'GET', path: '/users/me/tokens', query }, options)
  }

  /** Delete an access token. It stops working at once. For: everyone signed in. `DELETE /users/me/tokens/{id}` */
  deleteMyToken(tokenId: string, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'DELETE', path: '/users/me/tokens/{id}', ids: [tokenId], keyed: true }
    return this.#send(call, options)
  }

  /** Sign out of every other session. For: everyone signed in. `DELETE /users/me/sessions` */
  endOtherSessions(options?: CallOptions): Promise<void> {
    const call: Call = { method: 'DELETE', path: '/users/me/sessions', keyed: true }
    return this.#send(call, options)
  }

  /** List the sessions in which the user is signed in. For: everyone signed in. `GET /users/me/sessions` */
  listMySessions(query?: ListMySessionsQuery, options?: CallOptions): List<Page<UserSession>> {
    return listOf(this.#send, { method: 'GET', path: '/users/me/sessions', query }, options)
  }

  /** End one session. For: everyone signed in. `DELETE /users/me/sessions/{id}` */
  endSession(sessionId: string, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'DELETE', path: '/users/me/sessions/{id}', ids: [sessionId], keyed: true }
    return this.#send(call, options)
  }
}

export class AccountsApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Assign the owner. The previous owner keeps the role until the new one accepts. For: administrators. `PUT /accounts/{id}/owner` */
  assignOwner(accountId: string, body: AssignAccountOwnerBody, options?: CallOptions): Promise<Account> {
    const call: Call = { method: 'PUT', path: '/accounts/{id}/owner', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Retrieve the owner, also before they accept. 404 if there is none. For: administrators, the account's owner. `GET /accounts/{id}/owner` */
  getOwner(accountId: string, options?: CallOptions): Promise<User> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/owner', ids: [accountId] }
    return this.#send(call, options)
  }

  /** Update settings. Nothing that is already booked changes. For: administrators, the account's owner. `PATCH /accounts/{id}` */
  change(accountId: string, body?: ChangeAccountBody, options?: CallOptions): Promise<Account> {
    const call: Call = { method: 'PATCH', path: '/accounts/{id}', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Retrieve an account. Its partners see a reduced one. For: administrators, the account's owner, the partner. `GET /accounts/{id}` */
  get(accountId: string, options?: CallOptions): Promise<Account | AccountForPartner> {
    const call: Call = { method: 'GET', path: '/accounts/{id}', ids: [accountId] }
    return this.#send(call, options)
  }

  /** Update automatic payouts. Turning them on needs a profile that the token can see. For: the account's owner. `PUT /accounts/{id}/auto-payout-settings` */
  changeAutoPayoutSettings(accountId: string, body?: ChangeAutoPayoutSettingsBody, options?: CallOptions): Promise<AutoPayoutSettings> {
    const call: Call = { method: 'PUT', path: '/accounts/{id}/auto-payout-settings', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Retrieve the settings of automatic payouts. For: the account's owner. `GET /accounts/{id}/auto-payout-settings` */
  getAutoPayoutSettings(accountId: string, options?: CallOptions): Promise<AutoPayoutSettings> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/auto-payout-settings', ids: [accountId] }
    return this.#send(call, options)
  }

  /** Create an account and invite its owner. Who names themselves is its owner at once. For: administrators. `POST /accounts` */
  create(body?: CreateAccountBody, options?: CallOptions): Promise<Account> {
    const call: Call = { method: 'POST', path: '/accounts', body, keyed: true }
    return this.#send(call, options)
  }

  /** List all accounts with their statistics. For: administrators. `GET /accounts` */
  list(query?: ListAccountsQuery, options?: CallOptions): List<Page<AccountWithStats>> {
    return listOf(this.#send, { method: 'GET', path: '/accounts', query }, options)
  }

  /** Disable an account. For: administrators. `POST /accounts/{id}/disable` */
  disable(accountId: string, body?: DisableAccountBody, options?: CallOptions): Promise<Account> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/disable', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Download all accounts. For: administrators. `GET /accounts/csv` */
  downloadAccounts(query?: DownloadAccountsQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/csv', query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download who changed what, and when. For: the account's owner. `GET /accounts/{id}/audit/csv` */
  downloadAudit(accountId: string, query?: DownloadAuditQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/audit/csv', ids: [accountId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download the exchange rates. For: the account's owner. `GET /accounts/{id}/exchange-rates/csv` */
  downloadExchangeRates(accountId: string, query?: DownloadExchangeRatesQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/exchange-rates/csv', ids: [accountId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Enable a disabled account. For: administrators. `POST /accounts/{id}/enable` */
  enable(accountId: string, body?: EnableAccountBody, options?: CallOptions): Promise<Account> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/enable', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Enter an exchange rate. Sales that wait for it are booked. For: the account's owner. `POST /accounts/{id}/exchange-rates` */
  enterExchangeRate(accountId: string, body: EnterExchangeRateBody, options?: CallOptions): Promise<ExchangeRate> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/exchange-rates', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** List the exchange rates that were entered by hand and, of each other currency the account has sales in, the published one of its latest sale. For: the account's owner. `GET /accounts/{id}/exchange-rates` */
  listExchangeRates(accountId: string, query?: ListExchangeRatesQuery, options?: CallOptions): List<Page<ExchangeRate> & {
    currencies: string[]
  }> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/exchange-rates', ids: [accountId], query }, options)
  }

  /** Export everything the account holds except bank details, keys and secrets, as a zip of CSV files. For: the account's owner. `GET /accounts/{id}/export` */
  export(accountId: string, options?: CallOptions): Promise<Blob> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/export', ids: [accountId], answers: 'application/zip' }
    return this.#send(call, options)
  }

  /** Retrieve statistics by day, week or month. The range is {from}..{to}. For: administrators, the account's owner. `GET /accounts/{id}/historical-stats/{range}` */
  getHistoricalStats(accountId: string, range: string, options?: CallOptions): Promise<HistoricalStats> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/historical-stats/{range}', ids: [accountId, range] }
    return this.#send(call, options)
  }

  /** Retrieve all-time statistics. For: administrators, the account's owner. `GET /accounts/{id}/stats` */
  getStats(accountId: string, options?: CallOptions): Promise<Stats> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/stats', ids: [accountId] }
    return this.#send(call, options)
  }

  /** Retrieve the owner's dashboard in one call. Range and compare are {from}..{to}. For: the account's owner. `GET /accounts/{id}/dashboard/{range}` */
  getDashboard(accountId: string, range: string, query?: GetDashboardQuery, options?: CallOptions): Promise<Dashboard> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/dashboard/{range}', ids: [accountId, range], query }
    return this.#send(call, options)
  }

  /** Compare this month's revenue with last month's up to the same day, and what explains the difference. For: the account's owner. `GET /accounts/{id}/dashboard/pace` */
  getPace(accountId: string, options?: CallOptions): Promise<Pace> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/dashboard/pace', ids: [accountId] }
    return this.#send(call, options)
  }

  /** List who changed what, and when. For: the account's owner. `GET /accounts/{id}/audit` */
  listAudit(accountId: string, query?: ListAuditQuery, options?: CallOptions): List<Page<AuditRow>> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/audit', ids: [accountId], query }, options)
  }

  /** List the profiles that a Wise token can see. Send `Authorization: wise:{token}`. For: everyone. `GET /wise/profiles` */
  listWiseProfiles(options?: CallOptions): Promise<ListWiseProfilesAnswer> {
    const call: Call = { method: 'GET', path: '/wise/profiles', by: 'wise' }
    return this.#send(call, options)
  }

  /** Create a new API key. The old one stops working at once. For: the account's owner. `PUT /accounts/{id}/api-key` */
  renewApiKey(accountId: string, options?: CallOptions): Promise<Account> {
    const call: Call = { method: 'PUT', path: '/accounts/{id}/api-key', ids: [accountId], keyed: true }
    return this.#send(call, options)
  }

  /** Send the owner a new set-up link. For: administrators. `POST /accounts/{id}/owner/invitation/retries` */
  retryOwnerInvitation(accountId: string, options?: CallOptions): Promise<OwnerInvitation> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/owner/invitation/retries', ids: [accountId], keyed: true }
    return this.#send(call, options)
  }
}

export class PartnersApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Credit a partner for sales with a promotion code. Only new sales are affected. For: the account's owner. `POST /partners/{id}/promotion-codes` */
  addPromotionCode(partnerId: string, body: AddPromotionCodeBody, options?: CallOptions): Promise<PromotionCode> {
    const call: Call = { method: 'POST', path: '/partners/{id}/promotion-codes', ids: [partnerId], body, keyed: true }
    return this.#send(call, options)
  }

  /** List a partner's promotion codes. For: the account's owner, the partner. `GET /partners/{id}/promotion-codes` */
  listPromotionCodes(partnerId: string, query?: ListPromotionCodesQuery, options?: CallOptions): List<Page<PromotionCode>> {
    return listOf(this.#send, { method: 'GET', path: '/partners/{id}/promotion-codes', ids: [partnerId], query }, options)
  }

  /** Book an adjustment by hand. It is due at once. For: the account's owner. `POST /partners/{id}/adjustments` */
  adjustBalance(partnerId: string, body: AdjustBalanceBody, options?: CallOptions): Promise<Entry> {
    const call: Call = { method: 'POST', path: '/partners/{id}/adjustments', ids: [partnerId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Archive a partner. Past commissions never move. For: the account's owner. `POST /partners/{id}/archive` */
  archive(partnerId: string, body?: ArchivePartnerBody, options?: CallOptions): Promise<Partner> {
    const call: Call = { method: 'POST', path: '/partners/{id}/archive', ids: [partnerId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Update a partner. Only new sales are affected. For: the account's owner, the partners above, the partner. `PUT /partners/{id}` */
  change(partnerId: string, body?: ChangePartnerBody, options?: CallOptions): Promise<Partner> {
    const call: Call = { method: 'PUT', path: '/partners/{id}', ids: [partnerId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Delete a partner who has no history. For: the account's owner. `DELETE /partners/{id}` */
  delete(partnerId: string, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'DELETE', path: '/partners/{id}', ids: [partnerId], keyed: true }
    return this.#send(call, options)
  }

  /** Retrieve a partner. Partners above them see a reduced one. For: the account's owner, the partner, the partners above. `GET /partners/{id}` */
  get(partnerId: string, options?: CallOptions): Promise<Partner> {
    const call: Call = { method: 'GET', path: '/partners/{id}', ids: [partnerId] }
    return this.#send(call, options)
  }

  /** Create a partner. For: the account's owner. `POST /accounts/{id}/partners` */
  create(accountId: string, body: CreatePartnerBody, options?: CallOptions): Promise<Partner> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/partners', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** List partners of every layer and state. From and to are creation dates. For: the account's owner. `GET /accounts/{id}/partners` */
  list(accountId: string, query?: ListPartnersQuery, options?: CallOptions): List<Page<Partner>> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/partners', ids: [accountId], query }, options)
  }

  /** Create 1 to 100 partners, each with a result of its own. For: the account's owner. `POST /accounts/{id}/partners/bulk` */
  createPartners(accountId: string, body: CreatePartnersBody, options?: CallOptions): Promise<CreatePartnersAnswer> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/partners/bulk', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Create a sub-partner. For: the account's owner, the partner. `POST /partners/{id}/partners` */
  createSubPartner(partnerId: string, body: CreateSubPartnerBody, options?: CallOptions): Promise<Partner> {
    const call: Call = { method: 'POST', path: '/partners/{id}/partners', ids: [partnerId], body, keyed: true }
    return this.#send(call, options)
  }

  /** List a partner's direct sub-partners. For: the account's owner, the partner, the partners above. `GET /partners/{id}/partners` */
  listSubPartners(partnerId: string, query?: ListSubPartnersQuery, options?: CallOptions): List<Page<Partner>> {
    return listOf(this.#send, { method: 'GET', path: '/partners/{id}/partners', ids: [partnerId], query }, options)
  }

  /** Remove the deposit details. For: the partner. `DELETE /partners/{id}/payout-settings` */
  deletePayoutSettings(partnerId: string, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'DELETE', path: '/partners/{id}/payout-settings', ids: [partnerId], keyed: true }
    return this.#send(call, options)
  }

  /** Retrieve the deposit details, masked. For: the account's owner, the partner. `GET /partners/{id}/payout-settings` */
  getPayoutSettings(partnerId: string, options?: CallOptions): Promise<PayoutSettings> {
    const call: Call = { method: 'GET', path: '/partners/{id}/payout-settings', ids: [partnerId] }
    return this.#send(call, options)
  }

  /** Create or replace the deposit details. For: the partner. `POST /partners/{id}/payout-settings` */
  savePayoutSettings(partnerId: string, body: SavePayoutSettingsBody, options?: CallOptions): Promise<PayoutSettings> {
    const call: Call = { method: 'POST', path: '/partners/{id}/payout-settings', ids: [partnerId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Stop crediting a partner for a promotion code. Sales so far keep their credit. For: the account's owner. `DELETE /partners/{id}/promotion-codes/{codeId}` */
  deletePromotionCode(partnerId: string, codeId: string, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'DELETE', path: '/partners/{id}/promotion-codes/{codeId}', ids: [partnerId, codeId], keyed: true }
    return this.#send(call, options)
  }

  /** Download the balances of all partners. For: the account's owner. `GET /accounts/{id}/balances/csv` */
  downloadBalances(accountId: string, query?: DownloadBalancesQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/balances/csv', ids: [accountId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download the ledger entries of a partner. For: the account's owner, the partner. `GET /partners/{id}/commissions/csv` */
  downloadCommissions(partnerId: string, query?: DownloadPartnerCommissionsQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/partners/{id}/commissions/csv', ids: [partnerId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download all partners. For: the account's owner. `GET /accounts/{id}/partners/csv` */
  downloadPartners(accountId: string, query?: DownloadPartnersQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/partners/csv', ids: [accountId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download the promotion codes of a partner. For: the account's owner, the partner. `GET /partners/{id}/promotion-codes/csv` */
  downloadPromotionCodes(partnerId: string, query?: DownloadPromotionCodesQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/partners/{id}/promotion-codes/csv', ids: [partnerId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download the direct sub-partners of a partner. What a parent sees masked is left empty. For: the account's owner, the partner, the partners above. `GET /partners/{id}/partners/csv` */
  downloadSubPartners(partnerId: string, query?: DownloadSubPartnersQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/partners/{id}/partners/csv', ids: [partnerId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Retrieve what a partner has earned and where it stands. For: the account's owner, the partner. `GET /partners/{id}/balance` */
  getBalance(partnerId: string, options?: CallOptions): Promise<Balance> {
    const call: Call = { method: 'GET', path: '/partners/{id}/balance', ids: [partnerId] }
    return this.#send(call, options)
  }

  /** Retrieve the status of the invitation. 404 if never invited. For: the account's owner, the partners above. `GET /partners/{id}/invitation` */
  getInvitation(partnerId: string, options?: CallOptions): Promise<Invitation> {
    const call: Call = { method: 'GET', path: '/partners/{id}/invitation', ids: [partnerId] }
    return this.#send(call, options)
  }

  /** Revoke the invitation. For: the account's owner, the partners above. `DELETE /partners/{id}/invitation` */
  revokeInvitation(partnerId: string, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'DELETE', path: '/partners/{id}/invitation', ids: [partnerId], keyed: true }
    return this.#send(call, options)
  }

  /** Retrieve statistics by day, week or month. The range is {from}..{to}. For: the account's owner, the partner. `GET /partners/{id}/historical-stats/{range}` */
  getHistoricalStats(partnerId: string, range: string, options?: CallOptions): Promise<PartnerHistoricalStats> {
    const call: Call = { method: 'GET', path: '/partners/{id}/historical-stats/{range}', ids: [partnerId, range] }
    return this.#send(call, options)
  }

  /** Retrieve all-time statistics. For: the account's owner, the partner. `GET /partners/{id}/stats` */
  getStats(partnerId: string, options?: CallOptions): Promise<Stats> {
    const call: Call = { method: 'GET', path: '/partners/{id}/stats', ids: [partnerId] }
    return this.#send(call, options)
  }

  /** List the balances of all partners. For: the account's owner. `GET /accounts/{id}/balances` */
  listBalances(accountId: string, query?: ListBalancesQuery, options?: CallOptions): List<Page<Balance> & {
    totals: BalanceTotals
  }> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/balances', ids: [accountId], query }, options)
  }

  /** List a partner's ledger entries, each with its sale and lead. Filtered by a status they add up to that part of the balance. For: the account's owner, the partner. `GET /partners/{id}/commissions` */
  listCommissions(partnerId: string, query?: ListPartnerCommissionsQuery, options?: CallOptions): List<Page<EntryWithSale> & {
    totals: EntryTotals
  }> {
    return listOf(this.#send, { method: 'GET', path: '/partners/{id}/commissions', ids: [partnerId], query }, options)
  }

  /** Remind a partner of their payout details or their invitation, once a week of each. For: the account's owner. `POST /partners/{id}/reminders` */
  remind(partnerId: string, body: RemindPartnerBody, options?: CallOptions): Promise<Reminder> {
    const call: Call = { method: 'POST', path: '/partners/{id}/reminders', ids: [partnerId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Send the invitation, or send it again. The old link stops working. For: the account's owner, the partners above. `POST /partners/{id}/invitation/retries` */
  retryInvitation(partnerId: string, options?: CallOptions): Promise<Invitation> {
    const call: Call = { method: 'POST', path: '/partners/{id}/invitation/retries', ids: [partnerId], keyed: true }
    return this.#send(call, options)
  }
}

export class LinksApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Update a link blueprint. Only new clicks and sales are affected. For: the account's owner. `PUT /link-blueprints/{id}` */
  change(linkBlueprintId: string, body?: ChangeLinkBlueprintBody, options?: CallOptions): Promise<LinkBlueprint> {
    const call: Call = { method: 'PUT', path: '/link-blueprints/{id}', ids: [linkBlueprintId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Delete a link blueprint. Its links still redirect visitors. For: the account's owner. `DELETE /link-blueprints/{id}` */
  delete(linkBlueprintId: string, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'DELETE', path: '/link-blueprints/{id}', ids: [linkBlueprintId], keyed: true }
    return this.#send(call, options)
  }

  /** Retrieve a link blueprint. For: the account's owner. `GET /link-blueprints/{id}` */
  get(linkBlueprintId: string, options?: CallOptions): Promise<LinkBlueprint> {
    const call: Call = { method: 'GET', path: '/link-blueprints/{id}', ids: [linkBlueprintId] }
    return this.#send(call, options)
  }

  /** Create a link blueprint. Every partner has a link from it at once. For: the account's owner. `POST /accounts/{id}/link-blueprints` */
  create(accountId: string, body: CreateLinkBlueprintBody, options?: CallOptions): Promise<LinkBlueprint> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/link-blueprints', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** List link blueprints. For: the account's owner. `GET /accounts/{id}/link-blueprints` */
  list(accountId: string, query?: ListLinkBlueprintsQuery, options?: CallOptions): List<Page<LinkBlueprint>> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/link-blueprints', ids: [accountId], query }, options)
  }

  /** Download every partner's link from this blueprint. For: the account's owner. `GET /link-blueprints/{id}/links/csv` */
  downloadBlueprintLinks(linkBlueprintId: string, query?: DownloadBlueprintLinksQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/link-blueprints/{id}/links/csv', ids: [linkBlueprintId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download all link blueprints. For: the account's owner. `GET /accounts/{id}/link-blueprints/csv` */
  downloadBlueprints(accountId: string, query?: DownloadLinkBlueprintsQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/link-blueprints/csv', ids: [accountId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download the links of a partner. For: the account's owner, the partner. `GET /partners/{id}/links/csv` */
  downloadPartnerLinks(partnerId: string, query?: DownloadPartnerLinksQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/partners/{id}/links/csv', ids: [partnerId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Retrieve statistics by day, week or month. The range is {from}..{to}. For: the account's owner. `GET /link-blueprints/{id}/historical-stats/{range}` */
  getHistoricalStats(linkBlueprintId: string, range: string, options?: CallOptions): Promise<HistoricalStats> {
    const call: Call = { method: 'GET', path: '/link-blueprints/{id}/historical-stats/{range}', ids: [linkBlueprintId, range] }
    return this.#send(call, options)
  }

  /** Retrieve all-time statistics. For: the account's owner. `GET /link-blueprints/{id}/stats` */
  getStats(linkBlueprintId: string, options?: CallOptions): Promise<Stats> {
    const call: Call = { method: 'GET', path: '/link-blueprints/{id}/stats', ids: [linkBlueprintId] }
    return this.#send(call, options)
  }

  /** List every partner's link from this blueprint. For: the account's owner. `GET /link-blueprints/{id}/links` */
  listBlueprintLinks(linkBlueprintId: string, query?: ListBlueprintLinksQuery, options?: CallOptions): List<Page<BlueprintLink>> {
    return listOf(this.#send, { method: 'GET', path: '/link-blueprints/{id}/links', ids: [linkBlueprintId], query }, options)
  }

  /** List a partner's enabled links. For: the account's owner, the partner. `GET /partners/{id}/links` */
  listPartnerLinks(partnerId: string, query?: ListPartnerLinksQuery, options?: CallOptions): List<Page<PartnerLink>> {
    return listOf(this.#send, { method: 'GET', path: '/partners/{id}/links', ids: [partnerId], query }, options)
  }

  /** Check that a destination responds and keeps the referral code. For: the account's owner. `POST /accounts/{id}/link-blueprints/test` */
  test(accountId: string, body: TestLinkBody, options?: CallOptions): Promise<LinkTest> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/link-blueprints/test', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }
}

export class LeadsApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Add a note to the timeline of a lead. Its partner sees it only if it is shared. For: the account's owner. `POST /leads/{id}/notes` */
  addNote(leadId: string, body: AddLeadNoteBody, options?: CallOptions): Promise<LeadEvent> {
    const call: Call = { method: 'POST', path: '/leads/{id}/notes', ids: [leadId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Update a lead, including its protection. For: the account's owner. `PUT /leads/{id}` */
  change(leadId: string, body?: ChangeLeadBody, options?: CallOptions): Promise<Lead> {
    const call: Call = { method: 'PUT', path: '/leads/{id}', ids: [leadId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Delete a lead that has no sales. For: the account's owner. `DELETE /leads/{id}` */
  delete(leadId: string, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'DELETE', path: '/leads/{id}', ids: [leadId], keyed: true }
    return this.#send(call, options)
  }

  /** Retrieve a lead. Its partner sees it masked. For: the account's owner, the partner. `GET /leads/{id}` */
  get(leadId: string, options?: CallOptions): Promise<Lead> {
    const call: Call = { method: 'GET', path: '/leads/{id}', ids: [leadId] }
    return this.#send(call, options)
  }

  /** Change the status of a lead. For: the account's owner. `POST /leads/{id}/status` */
  changeStatus(leadId: string, body: ChangeLeadStatusBody, options?: CallOptions): Promise<Lead> {
    const call: Call = { method: 'POST', path: '/leads/{id}/status', ids: [leadId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Create a lead by hand. For: the account's owner. `POST /accounts/{id}/leads` */
  create(accountId: string, body: CreateLeadBody, options?: CallOptions): Promise<Lead> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/leads', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** List all leads. From and to are creation dates, and unanswered leads have been new for more than 48 hours. For: the account's owner. `GET /accounts/{id}/leads` */
  list(accountId: string, query?: ListLeadsQuery, options?: CallOptions): List<Page<Lead>> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/leads', ids: [accountId], query }, options)
  }

  /** Download the timeline of a lead. For: the account's owner, the partner. `GET /leads/{id}/events/csv` */
  downloadEvents(leadId: string, query?: DownloadLeadEventsQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/leads/{id}/events/csv', ids: [leadId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download when and from where a lead was sent. For: the account's owner. `GET /leads/{id}/submissions/csv` */
  downloadSubmissions(leadId: string, query?: DownloadLeadSubmissionsQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/leads/{id}/submissions/csv', ids: [leadId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download all leads. For: the account's owner. `GET /accounts/{id}/leads/csv` */
  downloadLeads(accountId: string, query?: DownloadLeadsQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/leads/csv', ids: [accountId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download the leads of a partner. What they see masked is left empty. For: the account's owner, the partner. `GET /partners/{id}/leads/csv` */
  downloadPartnerLeads(partnerId: string, query?: DownloadPartnerLeadsQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/partners/{id}/leads/csv', ids: [partnerId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Find leads of the same company, by the domain of an email (never of a public mail provider) and by its name. For: the account's owner. `GET /accounts/{id}/leads/similar` */
  findSimilarLeads(accountId: string, query?: FindSimilarLeadsQuery, options?: CallOptions): Promise<SimilarLeads> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/leads/similar', ids: [accountId], query }
    return this.#send(call, options)
  }

  /** Retrieve statistics by day, week or month. The range is {from}..{to}. For: the account's owner, the partner. `GET /leads/{id}/historical-stats/{range}` */
  getHistoricalStats(leadId: string, range: string, options?: CallOptions): Promise<LeadHistoricalStats> {
    const call: Call = { method: 'GET', path: '/leads/{id}/historical-stats/{range}', ids: [leadId, range] }
    return this.#send(call, options)
  }

  /** Retrieve all-time statistics. For: the account's owner, the partner. `GET /leads/{id}/stats` */
  getStats(leadId: string, options?: CallOptions): Promise<LeadStats> {
    const call: Call = { method: 'GET', path: '/leads/{id}/stats', ids: [leadId] }
    return this.#send(call, options)
  }

  /** List the timeline of a lead. For: the account's owner, the partner. `GET /leads/{id}/events` */
  listEvents(leadId: string, query?: ListLeadEventsQuery, options?: CallOptions): List<Page<LeadEvent>> {
    return listOf(this.#send, { method: 'GET', path: '/leads/{id}/events', ids: [leadId], query }, options)
  }

  /** List what was sent of a lead in the last 400 days, as it came. For: the account's owner. `GET /leads/{id}/submissions` */
  listSubmissions(leadId: string, query?: ListLeadSubmissionsQuery, options?: CallOptions): List<Page<LeadSubmission>> {
    return listOf(this.#send, { method: 'GET', path: '/leads/{id}/submissions', ids: [leadId], query }, options)
  }

  /** List a partner's own leads. For: the account's owner, the partner. `GET /partners/{id}/leads` */
  listPartnerLeads(partnerId: string, query?: ListPartnerLeadsQuery, options?: CallOptions): List<Page<Lead>> {
    return listOf(this.#send, { method: 'GET', path: '/partners/{id}/leads', ids: [partnerId], query }, options)
  }

  /** Submit a lead as a partner, where the account allows it. For: the account's owner, the partner. `POST /partners/{id}/leads` */
  submit(partnerId: string, body: SubmitLeadBody, options?: CallOptions): Promise<SubmittedLeadVerdict> {
    const call: Call = { method: 'POST', path: '/partners/{id}/leads', ids: [partnerId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Reassign a lead to another partner, or preview its earlier sales. Only new sales are affected unless you say so. For: the account's owner. `POST /leads/{id}/reassign` */
  reassign(leadId: string, body: ReassignLeadBody, options?: CallOptions): Promise<Lead | EarlierSales> {
    const call: Call = { method: 'POST', path: '/leads/{id}/reassign', ids: [leadId], body, keyed: true }
    return this.#send(call, options)
  }
}

export class SalesApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Credit a partner with a sale that has none, or preview the earlier sales. For: the account's owner. `POST /sales/{id}/attribute` */
  attribute(saleId: string, body: AttributeSaleBody, options?: CallOptions): Promise<Sale | EarlierSales> {
    const call: Call = { method: 'POST', path: '/sales/{id}/attribute', ids: [saleId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Update the description of a sale. For: the account's owner. `PATCH /sales/{id}` */
  change(saleId: string, body?: ChangeSaleBody, options?: CallOptions): Promise<Sale> {
    const call: Call = { method: 'PATCH', path: '/sales/{id}', ids: [saleId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Retrieve a sale. For: the account's owner. `GET /sales/{id}` */
  get(saleId: string, options?: CallOptions): Promise<Sale> {
    const call: Call = { method: 'GET', path: '/sales/{id}', ids: [saleId] }
    return this.#send(call, options)
  }

  /** Record a sale by hand and book its commissions. For: the account's owner. `POST /leads/{id}/sales` */
  create(leadId: string, body: CreateSaleBody, options?: CallOptions): Promise<Sale> {
    const call: Call = { method: 'POST', path: '/leads/{id}/sales', ids: [leadId], body, keyed: true }
    return this.#send(call, options)
  }

  /** List the sales of a lead. For: the account's owner, the partner. `GET /leads/{id}/sales` */
  listLeadSales(leadId: string, query?: ListLeadSalesQuery, options?: CallOptions): List<Page<Sale>> {
    return listOf(this.#send, { method: 'GET', path: '/leads/{id}/sales', ids: [leadId], query }, options)
  }

  /** Download the sales of a lead. For: the account's owner, the partner. `GET /leads/{id}/sales/csv` */
  downloadLeadSales(leadId: string, query?: DownloadLeadSalesQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/leads/{id}/sales/csv', ids: [leadId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download the revenue lines. For: the account's owner. `GET /accounts/{id}/revenue-lines/csv` */
  downloadRevenueLines(accountId: string, query?: DownloadRevenueLinesQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/revenue-lines/csv', ids: [accountId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download the ledger entries of a sale. For: the account's owner, the partner. `GET /sales/{id}/commissions/csv` */
  downloadCommissions(saleId: string, query?: DownloadSaleCommissionsQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/sales/{id}/commissions/csv', ids: [saleId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download all sales. For: the account's owner. `GET /accounts/{id}/sales/csv` */
  downloadSales(accountId: string, query?: DownloadSalesQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/sales/csv', ids: [accountId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Explain which rule credited a sale, and why the others didn't. For: the account's owner. `GET /sales/{id}/match` */
  getMatch(saleId: string, options?: CallOptions): Promise<SaleMatch> {
    const call: Call = { method: 'GET', path: '/sales/{id}/match', ids: [saleId] }
    return this.#send(call, options)
  }

  /** List revenue lines: what the statistics count of sales, each on its own day. The totals match the statistics of the same days. For: the account's owner. `GET /accounts/{id}/revenue-lines` */
  listRevenueLines(accountId: string, query?: ListRevenueLinesQuery, options?: CallOptions): List<Page<RevenueLine> & {
    totals: RevenueTotals
  }> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/revenue-lines', ids: [accountId], query }, options)
  }

  /** List the ledger entries of a sale. Partners see only their own. For: the account's owner, the partner. `GET /sales/{id}/commissions` */
  listCommissions(saleId: string, query?: ListSaleCommissionsQuery, options?: CallOptions): List<Page<Entry>> {
    return listOf(this.#send, { method: 'GET', path: '/sales/{id}/commissions', ids: [saleId], query }, options)
  }

  /** List all sales. From and to are sale dates. For: the account's owner. `GET /accounts/{id}/sales` */
  list(accountId: string, query?: ListSalesQuery, options?: CallOptions): List<Page<Sale>> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/sales', ids: [accountId], query }, options)
  }

  /** Preview who would earn what from a sale. Nothing is written. For: the account's owner. `POST /accounts/{id}/commission-preview` */
  previewCommission(accountId: string, body: PreviewCommissionBody, options?: CallOptions): Promise<CommissionPreview> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/commission-preview', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Preview what last month's sales would have paid by other rates. Nothing is written. For: the account's owner. `POST /accounts/{id}/rates-preview` */
  previewRates(accountId: string, body: PreviewRatesBody, options?: CallOptions): Promise<RatesEffect> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/rates-preview', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Record a refund by hand and reverse its part of every commission. For: the account's owner. `POST /sales/{id}/refunds` */
  refund(saleId: string, body: RefundSaleBody, options?: CallOptions): Promise<Sale> {
    const call: Call = { method: 'POST', path: '/sales/{id}/refunds', ids: [saleId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Release a sale from its fraud hold. For: the account's owner. `POST /sales/{id}/release` */
  release(saleId: string, body: ReleaseSaleBody, options?: CallOptions): Promise<Sale> {
    const call: Call = { method: 'POST', path: '/sales/{id}/release', ids: [saleId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Void a sale that was recorded by mistake. For: the account's owner. `POST /sales/{id}/void` */
  void(saleId: string, body: VoidSaleBody, options?: CallOptions): Promise<Sale> {
    const call: Call = { method: 'POST', path: '/sales/{id}/void', ids: [saleId], body, keyed: true }
    return this.#send(call, options)
  }
}

export class CommissionsApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Download the ledger entries of all partners. For: the account's owner. `GET /accounts/{id}/commissions/csv` */
  downloadCommissions(accountId: string, query?: DownloadCommissionsQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/commissions/csv', ids: [accountId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Retrieve the receipt of a commission entry: everything that explains its amount. For: the account's owner, the partner. `GET /commissions/{id}` */
  getReceipt(commissionId: string, options?: CallOptions): Promise<Receipt> {
    const call: Call = { method: 'GET', path: '/commissions/{id}', ids: [commissionId] }
    return this.#send(call, options)
  }

  /** List the ledger entries of all partners, each with its sale. From and to are days of the sale, dueFrom and dueTo those on which entries fall due. For: the account's owner. `GET /accounts/{id}/commissions` */
  list(accountId: string, query?: ListCommissionsQuery, options?: CallOptions): List<Page<EntryWithSale> & {
    totals: CommissionTotals
  }> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/commissions', ids: [accountId], query }, options)
  }
}

export class PayoutsApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Take in Wise's results of a batch file. DryRun changes nothing. For: the account's owner. `POST /accounts/{id}/payouts/results` */
  applyResults(accountId: string, body: ApplyPayoutResultsBody, options?: CallOptions): Promise<PayoutResults> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/payouts/results', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Approve many partners for payouts in a calendar year. Answers whose approval changed. For: the account's owner. `POST /accounts/{id}/tax-years/{year}/approvals` */
  approveForTaxYear(accountId: string, year: string, body: ApproveForTaxYearBody, options?: CallOptions): Promise<ApproveForTaxYearAnswer> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/tax-years/{year}/approvals', ids: [accountId, year], body, keyed: true }
    return this.#send(call, options)
  }

  /** Approve a due payout, as it was shown. For: the account's owner. `POST /payouts/{id}/approve` */
  approve(payoutId: string, body?: ApprovePayoutBody, options?: CallOptions): Promise<Payout> {
    const call: Call = { method: 'POST', path: '/payouts/{id}/approve', ids: [payoutId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Approve many payouts, or preview the approval. For: the account's owner. `POST /accounts/{id}/payouts/approve` */
  approvePayouts(accountId: string, body: ApprovePayoutsBody, options?: CallOptions): Promise<ApprovalResults | ApprovalPreview> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/payouts/approve', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Cancel a payout before any money may have left. For: the account's owner. `POST /payouts/{id}/cancel` */
  cancel(payoutId: string, options?: CallOptions): Promise<Payout> {
    const call: Call = { method: 'POST', path: '/payouts/{id}/cancel', ids: [payoutId], keyed: true }
    return this.#send(call, options)
  }

  /** Set the threshold of a year report. Null follows the law. For: the account's owner. `PUT /accounts/{id}/tax-years/{year}` */
  changeTaxYear(accountId: string, year: string, body: ChangeTaxYearBody, options?: CallOptions): Promise<TaxYearTerms> {
    const call: Call = { method: 'PUT', path: '/accounts/{id}/tax-years/{year}', ids: [accountId, year], body, keyed: true }
    return this.#send(call, options)
  }

  /** List what each partner was paid in a calendar year, with approval and tax form. For: the account's owner. `GET /accounts/{id}/tax-years/{year}` */
  listTaxYear(accountId: string, year: string, query?: ListTaxYearQuery, options?: CallOptions): List<Page<TaxYearPartner> & {
    year: number
    currency: string
    threshold: number | null
    legalThreshold: number | null
    totals: TaxYearTotals
  }> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/tax-years/{year}', ids: [accountId, year], query }, options)
  }

  /** Decide on unknown transfers and resume payouts once none is left. For: the account's owner. `POST /accounts/{id}/payouts/reconciliation/confirm` */
  confirmReconciliation(accountId: string, body?: ConfirmPayoutReconciliationBody, options?: CallOptions): Promise<PayoutReconciliation> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/payouts/reconciliation/confirm', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Download the payouts of a partner. For: the account's owner, the partner. `GET /partners/{id}/payouts/csv` */
  downloadPartnerPayouts(partnerId: string, query?: DownloadPartnerPayoutsQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/partners/{id}/payouts/csv', ids: [partnerId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download the ledger entries that a payout pays. For: the account's owner, the partner. `GET /payouts/{id}/entries/csv` */
  downloadEntries(payoutId: string, query?: DownloadPayoutEntriesQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/payouts/{id}/entries/csv', ids: [payoutId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download all payouts, or approve due ones into a batch file for Wise. For: the account's owner. `GET /accounts/{id}/payouts/csv` */
  downloadPayouts(accountId: string, query?: DownloadPayoutsQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/payouts/csv', ids: [accountId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download the year report. For: the account's owner. `GET /accounts/{id}/tax-years/{year}/csv` */
  downloadTaxYear(accountId: string, year: string, query?: DownloadTaxYearQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/tax-years/{year}/csv', ids: [accountId, year], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Retrieve a partner's next paydays and what they bring. For: the account's owner, the partner. `GET /partners/{id}/payouts/forecast` */
  getPartnerForecast(partnerId: string, options?: CallOptions): Promise<PayoutForecast> {
    const call: Call = { method: 'GET', path: '/partners/{id}/payouts/forecast', ids: [partnerId] }
    return this.#send(call, options)
  }

  /** Retrieve a payout. For: the account's owner, the partner. `GET /payouts/{id}` */
  get(payoutId: string, options?: CallOptions): Promise<Payout> {
    const call: Call = { method: 'GET', path: '/payouts/{id}', ids: [payoutId] }
    return this.#send(call, options)
  }

  /** Retrieve what a person can do now to get partners paid, and how much waits for it. For: the account's owner. `GET /accounts/{id}/payouts/attention` */
  getAttention(accountId: string, options?: CallOptions): Promise<PayoutAttention> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/payouts/attention', ids: [accountId] }
    return this.#send(call, options)
  }

  /** Retrieve the next paydays of an account and what they take. For: the account's owner. `GET /accounts/{id}/payouts/forecast` */
  getForecast(accountId: string, options?: CallOptions): Promise<PayoutForecast> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/payouts/forecast', ids: [accountId] }
    return this.#send(call, options)
  }

  /** Retrieve why payouts are paused, and what was paid beside the ledger. For: the account's owner. `GET /accounts/{id}/payouts/reconciliation` */
  getReconciliation(accountId: string, options?: CallOptions): Promise<PayoutReconciliation> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/payouts/reconciliation', ids: [accountId] }
    return this.#send(call, options)
  }

  /** Read the transfers of the last 90 days again. For: the account's owner. `POST /accounts/{id}/payouts/reconciliation` */
  startReconciliation(accountId: string, options?: CallOptions): Promise<PayoutReconciliation> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/payouts/reconciliation', ids: [accountId], keyed: true }
    return this.#send(call, options)
  }

  /** Retrieve the statement of a payout. A page that prints, with all entries, or by Accept a PDF or what stands above the entries as JSON. Paper is that of the PDF: letter for an account in usd, else a4. For: the account's owner, the partner. `GET /payouts/{id}/statement` */
  getStatement(payoutId: string, query?: GetPayoutStatementQuery, options?: CallOptions): Promise<PayoutStatement> {
    const call: Call = { method: 'GET', path: '/payouts/{id}/statement', ids: [payoutId], query }
    return this.#send(call, options)
  }

  /** Retrieve the totals due now, awaiting funding and paid this year. For: the account's owner. `GET /accounts/{id}/payouts/totals` */
  getTotals(accountId: string, options?: CallOptions): Promise<PayoutTotals> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/payouts/totals', ids: [accountId] }
    return this.#send(call, options)
  }

  /** List the payouts of a partner. For: the account's owner, the partner. `GET /partners/{id}/payouts` */
  listPartnerPayouts(partnerId: string, query?: ListPartnerPayoutsQuery, options?: CallOptions): List<Page<Payout>> {
    return listOf(this.#send, { method: 'GET', path: '/partners/{id}/payouts', ids: [partnerId], query }, options)
  }

  /** List the ledger entries that a payout pays. For: the account's owner, the partner. `GET /payouts/{id}/entries` */
  listEntries(payoutId: string, query?: ListPayoutEntriesQuery, options?: CallOptions): List<Page<EntryWithSale>> {
    return listOf(this.#send, { method: 'GET', path: '/payouts/{id}/entries', ids: [payoutId], query }, options)
  }

  /** List all payouts. From and to are creation dates. For: the account's owner. `GET /accounts/{id}/payouts` */
  list(accountId: string, query?: ListPayoutsQuery, options?: CallOptions): List<Page<Payout> & {
    totals: PayoutSums
  }> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/payouts', ids: [accountId], query }, options)
  }

  /** Mark a payout as paid by other means. For: the account's owner. `POST /payouts/{id}/mark-paid` */
  markPaid(payoutId: string, body: MarkPayoutPaidBody, options?: CallOptions): Promise<Payout> {
    const call: Call = { method: 'POST', path: '/payouts/{id}/mark-paid', ids: [payoutId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Mark many payouts as paid by other means. For: the account's owner. `POST /accounts/{id}/payouts/mark-paid` */
  markPayoutsPaid(accountId: string, body: MarkPayoutsPaidBody, options?: CallOptions): Promise<ApprovalResults> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/payouts/mark-paid', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Collect what is due, run automatic payouts and refresh open transfers now. For: the account's owner. `POST /accounts/{id}/payouts/refresh` */
  refreshPayouts(accountId: string, body?: RefreshPayoutsBody, options?: CallOptions): Promise<RefreshPayoutsAnswer> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/payouts/refresh', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Retry a failed or unfunded payout. For: the account's owner. `POST /payouts/{id}/retry` */
  retry(payoutId: string, options?: CallOptions): Promise<Payout> {
    const call: Call = { method: 'POST', path: '/payouts/{id}/retry', ids: [payoutId], keyed: true }
    return this.#send(call, options)
  }
}

export class PaymentProvidersApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Replace the credentials after checking the key, or replace the signing secret. For: the account's owner. `PATCH /accounts/{id}/payment-providers/{connectionId}` */
  changeConnection(accountId: string, connectionId: string, body?: ChangeConnectionBody, options?: CallOptions): Promise<Connection> {
    const call: Call = { method: 'PATCH', path: '/accounts/{id}/payment-providers/{connectionId}', ids: [accountId, connectionId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Check with the provider that the connection works. For: the account's owner. `POST /accounts/{id}/payment-providers/{connectionId}/check` */
  checkConnection(accountId: string, connectionId: string, options?: CallOptions): Promise<Connection> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/payment-providers/{connectionId}/check', ids: [accountId, connectionId], keyed: true }
    return this.#send(call, options)
  }

  /** Connect a provider after checking its key. For: the account's owner. `POST /accounts/{id}/payment-providers/connect` */
  connectProvider(accountId: string, body: ConnectProviderBody, options?: CallOptions): Promise<Connection> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/payment-providers/connect', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Disconnect a provider. Its history stays. For: the account's owner. `DELETE /accounts/{id}/payment-providers/disconnect` */
  disconnectProvider(accountId: string, body: DisconnectProviderBody, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'DELETE', path: '/accounts/{id}/payment-providers/disconnect', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Download all connections to payment providers. For: the account's owner. `GET /accounts/{id}/payment-providers/csv` */
  downloadConnections(accountId: string, query?: DownloadConnectionsQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/payment-providers/csv', ids: [accountId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download the events received from a provider. For: the account's owner. `GET /accounts/{id}/payment-providers/{connectionId}/events/csv` */
  downloadProviderEvents(accountId: string, connectionId: string, query?: DownloadProviderEventsQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/payment-providers/{connectionId}/events/csv', ids: [accountId, connectionId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Start a connection that the owner allows on the provider's own site. Answers where to send them. For: the account's owner. `GET /accounts/{id}/payment-providers/connect-url/{provider}` */
  getConnectUrl(accountId: string, provider: "stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic", options?: CallOptions): Promise<GetConnectUrlAnswer> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/payment-providers/connect-url/{provider}', ids: [accountId, provider] }
    return this.#send(call, options)
  }

  /** Import the past sales that a provider remembers. A dry run only says what would be created. For: the account's owner. `POST /accounts/{id}/payment-providers/{connectionId}/imports` */
  importPastSales(accountId: string, connectionId: string, body: ImportPastSalesBody, options?: CallOptions): Promise<Import> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/payment-providers/{connectionId}/imports', ids: [accountId, connectionId], body, keyed: true }
    return this.#send(call, options)
  }

  /** List the providers that can be connected, and what each asks for. For: the account's owner. `GET /accounts/{id}/payment-providers/available` */
  listAvailableProviders(accountId: string, options?: CallOptions): Promise<ListAvailableProvidersAnswer> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/payment-providers/available', ids: [accountId] }
    return this.#send(call, options)
  }

  /** List the connections to payment providers. For: the account's owner. `GET /accounts/{id}/payment-providers` */
  listConnections(accountId: string, query?: ListConnectionsQuery, options?: CallOptions): List<Page<Connection>> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/payment-providers', ids: [accountId], query }, options)
  }

  /** List the events received from a provider, and what became of each. For: the account's owner. `GET /accounts/{id}/payment-providers/{connectionId}/events` */
  listProviderEvents(accountId: string, connectionId: string, query?: ListProviderEventsQuery, options?: CallOptions): List<Page<ProviderEvent>> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/payment-providers/{connectionId}/events', ids: [accountId, connectionId], query }, options)
  }

  /** Try again to process an event that failed or waits. For: the account's owner. `POST /accounts/{id}/payment-providers/{connectionId}/events/{eventId}/retries` */
  retryProviderEvent(accountId: string, connectionId: string, eventId: string, options?: CallOptions): Promise<ProviderEvent> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/payment-providers/{connectionId}/events/{eventId}/retries', ids: [accountId, connectionId, eventId], keyed: true }
    return this.#send(call, options)
  }
}

export class OutgoingWebhooksApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Update an outgoing webhook. Turning it on again starts its count of failures at zero. For: the account's owner. `PUT /outgoing-webhooks/{id}` */
  change(outgoingWebhookId: string, body?: ChangeOutgoingWebhookBody, options?: CallOptions): Promise<OutgoingWebhook> {
    const call: Call = { method: 'PUT', path: '/outgoing-webhooks/{id}', ids: [outgoingWebhookId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Delete an outgoing webhook and its deliveries. For: the account's owner. `DELETE /outgoing-webhooks/{id}` */
  delete(outgoingWebhookId: string, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'DELETE', path: '/outgoing-webhooks/{id}', ids: [outgoingWebhookId], keyed: true }
    return this.#send(call, options)
  }

  /** Retrieve an outgoing webhook. For: the account's owner. `GET /outgoing-webhooks/{id}` */
  get(outgoingWebhookId: string, options?: CallOptions): Promise<OutgoingWebhook> {
    const call: Call = { method: 'GET', path: '/outgoing-webhooks/{id}', ids: [outgoingWebhookId] }
    return this.#send(call, options)
  }

  /** Create an outgoing webhook. Only this answer holds its secret. For: the account's owner. `POST /accounts/{id}/outgoing-webhooks` */
  create(accountId: string, body: CreateOutgoingWebhookBody, options?: CallOptions): Promise<OutgoingWebhookWithSecret> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/outgoing-webhooks', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** List an account's outgoing webhooks. For: the account's owner. `GET /accounts/{id}/outgoing-webhooks` */
  list(accountId: string, query?: ListOutgoingWebhooksQuery, options?: CallOptions): List<Page<OutgoingWebhook>> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/outgoing-webhooks', ids: [accountId], query }, options)
  }

  /** Download the deliveries of an outgoing webhook. For: the account's owner. `GET /outgoing-webhooks/{id}/deliveries/csv` */
  downloadOutgoingDeliveries(outgoingWebhookId: string, query?: DownloadOutgoingDeliveriesQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/outgoing-webhooks/{id}/deliveries/csv', ids: [outgoingWebhookId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download an account's outgoing webhooks, without their headers. For: the account's owner. `GET /accounts/{id}/outgoing-webhooks/csv` */
  downloadOutgoingWebhooks(accountId: string, query?: DownloadOutgoingWebhooksQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/outgoing-webhooks/csv', ids: [accountId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** List the deliveries of an outgoing webhook. For: the account's owner. `GET /outgoing-webhooks/{id}/deliveries` */
  listOutgoingDeliveries(outgoingWebhookId: string, query?: ListOutgoingDeliveriesQuery, options?: CallOptions): List<Page<OutgoingDelivery>> {
    return listOf(this.#send, { method: 'GET', path: '/outgoing-webhooks/{id}/deliveries', ids: [outgoingWebhookId], query }, options)
  }

  /** List the events an outgoing webhook can send. For: the account's owner. `GET /outgoing-webhooks/events` */
  listWebhookEvents(options?: CallOptions): Promise<ListWebhookEventsAnswer> {
    const call: Call = { method: 'GET', path: '/outgoing-webhooks/events' }
    return this.#send(call, options)
  }

  /** Send a delivery again. For: the account's owner. `POST /outgoing-webhooks/{id}/deliveries/{deliveryId}/retries` */
  resendDelivery(outgoingWebhookId: string, deliveryId: string, options?: CallOptions): Promise<OutgoingDelivery> {
    const call: Call = { method: 'POST', path: '/outgoing-webhooks/{id}/deliveries/{deliveryId}/retries', ids: [outgoingWebhookId, deliveryId], keyed: true }
    return this.#send(call, options)
  }

  /** Send again all deliveries since then that failed. For: the account's owner. `POST /outgoing-webhooks/{id}/retries` */
  resendFailed(outgoingWebhookId: string, body: ResendFailedBody, options?: CallOptions): Promise<ResendFailedAnswer> {
    const call: Call = { method: 'POST', path: '/outgoing-webhooks/{id}/retries', ids: [outgoingWebhookId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Replace the secret. For 24 hours deliveries are signed with both. For: the account's owner. `POST /outgoing-webhooks/{id}/secret` */
  rotateOutgoingSecret(outgoingWebhookId: string, options?: CallOptions): Promise<OutgoingWebhookWithSecret> {
    const call: Call = { method: 'POST', path: '/outgoing-webhooks/{id}/secret', ids: [outgoingWebhookId], keyed: true }
    return this.#send(call, options)
  }

  /** Send a test event. For: the account's owner. `POST /outgoing-webhooks/{id}/test` */
  test(outgoingWebhookId: string, options?: CallOptions): Promise<OutgoingDelivery> {
    const call: Call = { method: 'POST', path: '/outgoing-webhooks/{id}/test', ids: [outgoingWebhookId], keyed: true }
    return this.#send(call, options)
  }
}

export class IncomingWebhooksApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Update an incoming webhook. For: the account's owner. `PUT /incoming-webhooks/{id}` */
  change(incomingWebhookId: string, body?: ChangeIncomingWebhookBody, options?: CallOptions): Promise<IncomingWebhook> {
    const call: Call = { method: 'PUT', path: '/incoming-webhooks/{id}', ids: [incomingWebhookId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Delete an incoming webhook. What it made stays. For: the account's owner. `DELETE /incoming-webhooks/{id}` */
  delete(incomingWebhookId: string, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'DELETE', path: '/incoming-webhooks/{id}', ids: [incomingWebhookId], keyed: true }
    return this.#send(call, options)
  }

  /** Retrieve an incoming webhook with its latest sample. For: the account's owner. `GET /incoming-webhooks/{id}` */
  get(incomingWebhookId: string, options?: CallOptions): Promise<IncomingWebhook> {
    const call: Call = { method: 'GET', path: '/incoming-webhooks/{id}', ids: [incomingWebhookId] }
    return this.#send(call, options)
  }

  /** Create an incoming webhook. Without a mapping it captures samples. For: the account's owner. `POST /accounts/{id}/incoming-webhooks` */
  create(accountId: string, body: CreateIncomingWebhookBody, options?: CallOptions): Promise<IncomingWebhook> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/incoming-webhooks', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** List an account's incoming webhooks. For: the account's owner. `GET /accounts/{id}/incoming-webhooks` */
  list(accountId: string, query?: ListIncomingWebhooksQuery, options?: CallOptions): List<Page<IncomingWebhook>> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/incoming-webhooks', ids: [accountId], query }, options)
  }

  /** Download the deliveries of an incoming webhook, without payloads. For: the account's owner. `GET /incoming-webhooks/{id}/deliveries/csv` */
  downloadIncomingDeliveries(incomingWebhookId: string, query?: DownloadIncomingDeliveriesQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/incoming-webhooks/{id}/deliveries/csv', ids: [incomingWebhookId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download an account's incoming webhooks, without their addresses. For: the account's owner. `GET /accounts/{id}/incoming-webhooks/csv` */
  downloadIncomingWebhooks(accountId: string, query?: DownloadIncomingWebhooksQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/incoming-webhooks/csv', ids: [accountId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Retrieve a delivery with its whole payload. For: the account's owner. `GET /incoming-webhooks/{id}/deliveries/{deliveryId}` */
  getIncomingDelivery(incomingWebhookId: string, deliveryId: string, options?: CallOptions): Promise<IncomingDelivery> {
    const call: Call = { method: 'GET', path: '/incoming-webhooks/{id}/deliveries/{deliveryId}', ids: [incomingWebhookId, deliveryId] }
    return this.#send(call, options)
  }

  /** List what an incoming webhook received. For: the account's owner. `GET /incoming-webhooks/{id}/deliveries` */
  listIncomingDeliveries(incomingWebhookId: string, query?: ListIncomingDeliveriesQuery, options?: CallOptions): List<Page<IncomingDelivery>> {
    return listOf(this.#send, { method: 'GET', path: '/incoming-webhooks/{id}/deliveries', ids: [incomingWebhookId], query }, options)
  }

  /** Process a delivery that failed or was ignored again. For: the account's owner. `POST /incoming-webhooks/{id}/deliveries/{deliveryId}/replays` */
  replayDelivery(incomingWebhookId: string, deliveryId: string, options?: CallOptions): Promise<IncomingDelivery> {
    const call: Call = { method: 'POST', path: '/incoming-webhooks/{id}/deliveries/{deliveryId}/replays', ids: [incomingWebhookId, deliveryId], keyed: true }
    return this.#send(call, options)
  }

  /** Process all failed deliveries again. For: the account's owner. `POST /incoming-webhooks/{id}/replays` */
  replayFailed(incomingWebhookId: string, options?: CallOptions): Promise<ReplayFailedAnswer> {
    const call: Call = { method: 'POST', path: '/incoming-webhooks/{id}/replays', ids: [incomingWebhookId], keyed: true }
    return this.#send(call, options)
  }

  /** Replace the URL. The former one works for 24 more hours. For: the account's owner. `POST /incoming-webhooks/{id}/secret` */
  rotateIncomingUrl(incomingWebhookId: string, options?: CallOptions): Promise<IncomingWebhook> {
    const call: Call = { method: 'POST', path: '/incoming-webhooks/{id}/secret', ids: [incomingWebhookId], keyed: true }
    return this.#send(call, options)
  }

  /** See what a payload would make. Nothing is kept. For: the account's owner. `POST /incoming-webhooks/{id}/test` */
  test(incomingWebhookId: string, body: TestIncomingWebhookBody, options?: CallOptions): Promise<IncomingRehearsal> {
    const call: Call = { method: 'POST', path: '/incoming-webhooks/{id}/test', ids: [incomingWebhookId], body, keyed: true }
    return this.#send(call, options)
  }
}

export class ImportsApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Stop an import. What it has created stays, until it is undone. For: the account's owner. `POST /imports/{id}/cancel` */
  cancel(importId: string, options?: CallOptions): Promise<Import> {
    const call: Call = { method: 'POST', path: '/imports/{id}/cancel', ids: [importId], keyed: true }
    return this.#send(call, options)
  }

  /** Import a file of partners, leads, sales or payouts. A dry run only says what would be created. For: the account's owner. `POST /accounts/{id}/imports` */
  create(accountId: string, body: CreateImportBody, options?: CallOptions): Promise<Import> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/imports', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** List imports. For: the account's owner. `GET /accounts/{id}/imports` */
  list(accountId: string, query?: ListImportsQuery, options?: CallOptions): List<Page<Import>> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/imports', ids: [accountId], query }, options)
  }

  /** Download the rows that failed, as they were in the file, each with its row, field and message. For: the account's owner. `GET /imports/{id}/errors` */
  downloadErrors(importId: string, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/imports/{id}/errors', ids: [importId], answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Download all imports. For: the account's owner. `GET /accounts/{id}/imports/csv` */
  downloadImports(accountId: string, query?: DownloadImportsQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/imports/csv', ids: [accountId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Retrieve an import with its progress. For: the account's owner. `GET /imports/{id}` */
  get(importId: string, options?: CallOptions): Promise<Import> {
    const call: Call = { method: 'GET', path: '/imports/{id}', ids: [importId] }
    return this.#send(call, options)
  }

  /** Read the beginning of a file: its columns, first rows, and how they would be mapped. For: the account's owner. `POST /accounts/{id}/imports/preview` */
  preview(accountId: string, body: PreviewImportBody, options?: CallOptions): Promise<ImportPreview> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/imports/preview', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Undo an import within a day, while nothing was paid from it and nothing else depends on it. For: the account's owner. `POST /imports/{id}/undo` */
  undo(importId: string, options?: CallOptions): Promise<Import> {
    const call: Call = { method: 'POST', path: '/imports/{id}/undo', ids: [importId], keyed: true }
    return this.#send(call, options)
  }
}

export class RehearsalsApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Retrieve how a rehearsal goes, or went. It is forgotten after a day. For: the account's owner. `GET /accounts/{id}/rehearsals/{rehearsalId}` */
  get(accountId: string, rehearsalId: string, options?: CallOptions): Promise<Rehearsal> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/rehearsals/{rehearsalId}', ids: [accountId, rehearsalId] }
    return this.#send(call, options)
  }

  /** Play a sale through: from the click to the refund, counted nowhere and gone afterwards. For: the account's owner. `POST /accounts/{id}/rehearsals` */
  start(accountId: string, body?: NewRehearsal, options?: CallOptions): Promise<Rehearsal> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/rehearsals', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }
}

export class ApiKeysApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Create an API key. Only this answer holds it. For: the account's owner. `POST /accounts/{id}/api-keys` */
  create(accountId: string, body: CreateApiKeyBody, options?: CallOptions): Promise<ApiKeyWithKey> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/api-keys', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** List the account's API keys. For: the account's owner. `GET /accounts/{id}/api-keys` */
  list(accountId: string, query?: ListApiKeysQuery, options?: CallOptions): List<Page<ApiKey>> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/api-keys', ids: [accountId], query }, options)
  }

  /** Delete an API key. It stops working at once. For: the account's owner. `DELETE /accounts/{id}/api-keys/{keyId}` */
  delete(accountId: string, keyId: string, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'DELETE', path: '/accounts/{id}/api-keys/{keyId}', ids: [accountId, keyId], keyed: true }
    return this.#send(call, options)
  }

  /** Download all API keys, without the keys themselves. For: the account's owner. `GET /accounts/{id}/api-keys/csv` */
  downloadApiKeys(accountId: string, query?: DownloadApiKeysQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/api-keys/csv', ids: [accountId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Replace an API key with a new one of the same name and rights. The old one works for 24 more hours. For: the account's owner. `POST /accounts/{id}/api-keys/{keyId}/rotations` */
  rotate(accountId: string, keyId: string, options?: CallOptions): Promise<ApiKeyWithKey> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/api-keys/{keyId}/rotations', ids: [accountId, keyId], keyed: true }
    return this.#send(call, options)
  }
}

export class PushApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Download the last 100 push calls. For: the account's owner. `GET /accounts/{id}/push-requests/csv` */
  downloadRequests(accountId: string, query?: DownloadPushRequestsQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/push-requests/csv', ids: [accountId], query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** List the last 100 push calls, including refused ones. For: the account's owner. `GET /accounts/{id}/push-requests` */
  listRequests(accountId: string, query?: ListPushRequestsQuery, options?: CallOptions): List<Page<PushRequest>> {
    return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/push-requests', ids: [accountId], query }, options)
  }

  /** Record clicks that were counted elsewhere. For: the bearer of an account's API key. `POST /push/clicks` */
  clicks(body: NewPushedClick, options?: CallOptions): Promise<PushedClick>
  clicks(body: readonly NewPushedClick[], options?: CallOptions): Promise<PushResults>
  clicks(body: NewPushedClick | readonly NewPushedClick[], options?: CallOptions): Promise<PushedClick | PushResults> {
    const call: Call = { method: 'POST', path: '/push/clicks', body, keyed: true, by: 'apiKey' }
    return this.#send(call, options)
  }

  /** Create or update leads. A known lead answers 200. For: the bearer of an account's API key. `POST /push/leads` */
  leads(body: NewPushedLead, options?: CallOptions): Promise<Lead>
  leads(body: readonly NewPushedLead[], options?: CallOptions): Promise<PushResults>
  leads(body: NewPushedLead | readonly NewPushedLead[], options?: CallOptions): Promise<Lead | PushResults> {
    const call: Call = { method: 'POST', path: '/push/leads', body, keyed: true, by: 'apiKey' }
    return this.#send(call, options)
  }

  /** Record refunds of pushed sales. A known refund answers 200 with the one first recorded. For: the bearer of an account's API key. `POST /push/refunds` */
  refunds(body: NewPushedRefund, options?: CallOptions): Promise<Refund>
  refunds(body: readonly NewPushedRefund[], options?: CallOptions): Promise<PushResults>
  refunds(body: NewPushedRefund | readonly NewPushedRefund[], options?: CallOptions): Promise<Refund | PushResults> {
    const call: Call = { method: 'POST', path: '/push/refunds', body, keyed: true, by: 'apiKey' }
    return this.#send(call, options)
  }

  /** Record sales. A known sale answers 200 with the one first recorded. For: the bearer of an account's API key. `POST /push/sales` */
  sales(body: NewPushedSale, options?: CallOptions): Promise<Sale>
  sales(body: readonly NewPushedSale[], options?: CallOptions): Promise<PushResults>
  sales(body: NewPushedSale | readonly NewPushedSale[], options?: CallOptions): Promise<Sale | PushResults> {
    const call: Call = { method: 'POST', path: '/push/sales', body, keyed: true, by: 'apiKey' }
    return this.#send(call, options)
  }
}

export class EmbedApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Retrieve what the script has found. For: the account's owner. `GET /accounts/{id}/embed-code/checks/{checkId}` */
  getCheck(accountId: string, checkId: string, options?: CallOptions): Promise<EmbedCheck> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/embed-code/checks/{checkId}', ids: [accountId, checkId] }
    return this.#send(call, options)
  }

  /** Retrieve the embed code settings. 404 while there are none. For: the account's owner. `GET /accounts/{id}/embed-code` */
  getCode(accountId: string, options?: CallOptions): Promise<EmbedCode> {
    const call: Call = { method: 'GET', path: '/accounts/{id}/embed-code', ids: [accountId] }
    return this.#send(call, options)
  }

  /** Create or update the embed code settings. For: the account's owner. `PUT /accounts/{id}/embed-code` */
  saveCode(accountId: string, body?: SaveEmbedCodeBody, options?: CallOptions): Promise<EmbedCode> {
    const call: Call = { method: 'PUT', path: '/accounts/{id}/embed-code', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }

  /** Open a page to see which elements the script finds on it. For: the account's owner. `POST /accounts/{id}/embed-code/checks` */
  startCheck(accountId: string, body: StartEmbedCheckBody, options?: CallOptions): Promise<StartedEmbedCheck> {
    const call: Call = { method: 'POST', path: '/accounts/{id}/embed-code/checks', ids: [accountId], body, keyed: true }
    return this.#send(call, options)
  }
}

export class MailApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Turn the mails that a link is about off, or on again. For: the bearer of a set-up or reset link. `PUT /mail/subscription` */
  changeSubscription(body: ChangeMailSubscriptionBody, options?: CallOptions): Promise<MailSubscription> {
    const call: Call = { method: 'PUT', path: '/mail/subscription', body, keyed: true }
    return this.#send(call, options)
  }

  /** Retrieve what the link of a mail turns off. For: the bearer of a set-up or reset link. `GET /mail/subscription` */
  getSubscription(options?: CallOptions): Promise<MailSubscription> {
    const call: Call = { method: 'GET', path: '/mail/subscription' }
    return this.#send(call, options)
  }

  /** Download the mails of the last 90 days and what became of each, without their texts. For: administrators. `GET /mail/log/csv` */
  downloadLoggedMails(query?: DownloadLoggedMailsQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/mail/log/csv', query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Retrieve a mail, with its text while no mail server is set. For: administrators. `GET /mail/log/{id}` */
  getLoggedMail(logId: string, options?: CallOptions): Promise<KeptMail> {
    const call: Call = { method: 'GET', path: '/mail/log/{id}', ids: [logId] }
    return this.#send(call, options)
  }

  /** Retrieve a kind of mail as it reads with made-up data. For: administrators. `GET /mail/previews/{kind}` */
  getPreview(kind: string, options?: CallOptions): Promise<WholeMailPreview> {
    const call: Call = { method: 'GET', path: '/mail/previews/{kind}', ids: [kind] }
    return this.#send(call, options)
  }

  /** Retrieve how mail is sent. Without a mail server it is kept in the outbox. For: administrators. `GET /mail/status` */
  getStatus(options?: CallOptions): Promise<GetMailStatusAnswer> {
    const call: Call = { method: 'GET', path: '/mail/status' }
    return this.#send(call, options)
  }

  /** List the mails of the last 90 days and what became of each. For: administrators. `GET /mail/log` */
  listLoggedMails(query?: ListLoggedMailsQuery, options?: CallOptions): List<Page<LoggedMail>> {
    return listOf(this.#send, { method: 'GET', path: '/mail/log', query }, options)
  }

  /** List the groups of mails that the signed-in user may get. `preferences.mail` of the user turns them off. For: everyone signed in. `GET /mail/choices` */
  listChoices(options?: CallOptions): Promise<ListMailChoicesAnswer> {
    const call: Call = { method: 'GET', path: '/mail/choices' }
    return this.#send(call, options)
  }

  /** List the kinds of mail there are. For: administrators. `GET /mail/previews` */
  listPreviews(options?: CallOptions): Promise<ListMailPreviewsAnswer> {
    const call: Call = { method: 'GET', path: '/mail/previews' }
    return this.#send(call, options)
  }

  /** Send a test mail. Its line in the log says what became of it. For: administrators. `POST /mail/tests` */
  sendTestMail(body: SendTestMailBody, options?: CallOptions): Promise<LoggedMail> {
    const call: Call = { method: 'POST', path: '/mail/tests', body, keyed: true }
    return this.#send(call, options)
  }
}

export class SystemApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Download the events and jobs that failed every try. For: administrators. `GET /admin/system/parked/csv` */
  downloadParked(query?: DownloadParkedQuery, options?: CallOptions): Promise<string> {
    const call: Call = { method: 'GET', path: '/admin/system/parked/csv', query, answers: 'text/csv' }
    return this.#send(call, options)
  }

  /** Retrieve how this install is doing. For: administrators. `GET /admin/system` */
  get(options?: CallOptions): Promise<System> {
    const call: Call = { method: 'GET', path: '/admin/system' }
    return this.#send(call, options)
  }

  /** List the events and jobs that failed every try. For: administrators. `GET /admin/system/parked` */
  listParked(query?: ListParkedQuery, options?: CallOptions): List<Page<Parked>> {
    return listOf(this.#send, { method: 'GET', path: '/admin/system/parked', query }, options)
  }

  /** Try everything that is parked again. For: administrators. `POST /admin/system/parked/retry` */
  retryAllParked(options?: CallOptions): Promise<RetryAllParkedAnswer> {
    const call: Call = { method: 'POST', path: '/admin/system/parked/retry', keyed: true }
    return this.#send(call, options)
  }

  /** Try a parked event or job again. For: administrators. `POST /admin/system/parked/{id}/retry` */
  retryParked(parkedId: string, options?: CallOptions): Promise<RetryParkedAnswer> {
    const call: Call = { method: 'POST', path: '/admin/system/parked/{id}/retry', ids: [parkedId], keyed: true }
    return this.#send(call, options)
  }
}

export class Api {
  readonly auth: AuthApi
  readonly users: UsersApi
  readonly accounts: AccountsApi
  readonly partners: PartnersApi
  readonly links: LinksApi
  readonly leads: LeadsApi
  readonly sales: SalesApi
  readonly commissions: CommissionsApi
  readonly payouts: PayoutsApi
  readonly paymentProviders: PaymentProvidersApi
  readonly outgoingWebhooks: OutgoingWebhooksApi
  readonly incomingWebhooks: IncomingWebhooksApi
  readonly imports: ImportsApi
  readonly rehearsals: RehearsalsApi
  readonly apiKeys: ApiKeysApi
  readonly push: PushApi
  readonly embed: EmbedApi
  readonly mail: MailApi
  readonly system: SystemApi

  constructor(send: Send) {
    this.auth = new AuthApi(send)
    this.users = new UsersApi(send)
    this.accounts = new AccountsApi(send)
    this.partners = new PartnersApi(send)
    this.links = new LinksApi(send)
    this.leads = new LeadsApi(send)
    this.sales = new SalesApi(send)
    this.commissions = new CommissionsApi(send)
    this.payouts = new PayoutsApi(send)
    this.paymentProviders = new PaymentProvidersApi(send)
    this.outgoingWebhooks = new OutgoingWebhooksApi(send)
    this.incomingWebhooks = new IncomingWebhooksApi(send)
    this.imports = new ImportsApi(send)
    this.rehearsals = new RehearsalsApi(send)
    this.apiKeys = new ApiKeysApi(send)
    this.push = new PushApi(send)
    this.embed = new EmbedApi(send)
    this.mail = new MailApi(send)
    this.system = new SystemApi(send)
  }
}
