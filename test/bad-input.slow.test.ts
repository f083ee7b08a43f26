import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Endpoint, Subject } from '#contract/endpoint.ts'
import { oidcSecret } from '#contract/examples/auth.ts'
import { passkeyAssertion, secondFactor } from '#contract/examples/second-factor.ts'
import { noFraudRules } from '#contract/fraud.ts'
import { endpoints } from '#contract/index.ts'
import { type RefusalReason, refusals } from '#contract/refusals.ts'
import { unsubscribeUrl } from '../server/integrations/mail/unsubscribe.ts'
import { keepConnection } from '../server/integrations/payment-providers/connections.ts'
import { stripe } from '../server/integrations/payment-providers/stripe/adapter.ts'
import { system } from '../server/platform/author.ts'
import { confirmToken } from '../server/program/joining/application-link.ts'
import { anAccount, anEmail, aPartner, ok, PASSWORD, send as sendAsIs, startApp, tokenOf } from './support/app.ts'
import { aCase } from './support/cases.ts'
import {
  hostileBodies,
  hostileFilters,
  hostileValues,
  seededRandom,
  wrongIds,
  wrongQueries,
} from './support/hostile.ts'
import { anInternet } from './support/internet.ts'
import { anInvoice } from './support/invoices.ts'
import { aBlueprint, visit } from './support/links.ts'
import { failOnFetch } from './support/no-fetch.ts'
import { aPaymentFile } from './support/payment-files.ts'
import { aPayee } from './support/payouts.ts'
import { aPicture, base64 } from './support/pictures.ts'
import { aW9 } from './support/tax-forms.ts'

// Every endpoint of the server receives input that our clients would never send, and must explain the mistake soon,
// without failing itself. The input follows from the contract, so that a new call is tried too.

failOnFetch()
const nowhere = 'http://127.0.0.1:9'
const settings = { apiUrl: nowhere, clientId: null, secretKey: null, webhookSecret: null }
const platforms = ['stripe', 'paddle', 'paypal', 'square', 'lemon-squeezy', 'shopify']
const app = await startApp({
  outbound: anInternet().outbound,
  config: {
    wise: { apiUrl: nowhere, apiVersion: 'classic', webhookKey: '' },
    providers: Object.fromEntries(platforms.map((name) => [name, settings])) as never,
  },
})

const account = await anAccount(app, { payoutDelay: 0, invitationsFromPartners: true })
const { id: accountId, token: owner, admin } = account
const call = async (method: string, path: string, body?: unknown, token = owner) =>
  ok(await app.api(method, path, { token, body })).body
await call('PATCH', `/accounts/${accountId}`, { defaultCommissionSettings: { layerRates: [10, 5] } })
const parent = await aPartner(app, account, {})
const partner = await aPartner(app, account, { parentPartnerId: parent.id }, { signIn: true })
const blueprint = await aBlueprint(app, account)
const ownLink = await call('POST', `/partners/${partner.id}/links`, {
  ...{ name: 'Mine', destinationUrl: blueprint.destinationUrl },
})
const asset = await call('POST', `/accounts/${accountId}/assets`, {
  ...{ kind: 'image', name: 'Banner', image: base64(aPicture()) },
})
const announcement = await call('POST', `/accounts/${accountId}/announcements`, { subject: 'News', body: 'Hello' })
const savedReport = await call('POST', `/accounts/${accountId}/saved-reports`, {
  ...{ name: 'Sources', by: 'source', period: 'month-to-date' },
})
const group = await call('POST', `/accounts/${accountId}/groups`, { name: 'Gold' })
const goal = await call('POST', `/groups/${group.id}/goals`, {
  ...{ name: 'Busy', metric: 'sales', window: 'month', atLeast: 1000, bonus: 100 },
})
const lead = await call('POST', `/accounts/${accountId}/leads`, { partnerId: partner.id, email: anEmail('lead') })
const sale = await call('POST', `/leads/${lead.id}/sales`, { amount: 100_00, externalId: 'first' })
await call('POST', `/accounts/${accountId}/payouts/refresh`)
const [payout] = (await call('GET', `/partners/${partner.id}/payouts`)).items
const invoice = await anInvoice(app, account, await aPayee(app, account))
let { apiKey, publicId } = await call('PUT', `/accounts/${accountId}/api-key`)
const elements = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
const config = Object.fromEntries(elements.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))
await call('PUT', `/accounts/${accountId}/embed-code`, { config })
const webhook = await call('POST', `/accounts/${accountId}/outgoing-webhooks`, {
  name: 'CRM',
  url: 'https://hooks.example/in',
  events: ['*'],
})
const incoming = await call('POST', `/accounts/${accountId}/incoming-webhooks`, { name: 'Form', target: 'lead' })
const imported = await call('POST', `/accounts/${accountId}/imports`, {
  kind: 'leads',
  csv: 'email\na@b.example',
  dryRun: true,
})
/** A partner whose password the calls may change. */
const someone = await aPartner(app, account, {}, { signIn: true })
const invited = await aPartner(app, account, {})
const link = tokenOf((await call('GET', `/partners/${invited.id}/invitation`)).url)
const { key: partnersKey } = await call('POST', `/accounts/${accountId}/api-keys`, {
  name: 'App',
  rights: ['partners'],
})
const portalPath = `/partners/${partner.id}/portal-sessions`
const { token: portalToken } = await call('POST', portalPath, { kind: 'frame' }, partnersKey)
const { id: userId } = await call('GET', '/users/me')
const mailLink = unsubscribeUrl(app.url, app.services.secrets, { userId, group: 'leads' }).split('/').at(-1)!

const connection = await keepConnection(app.services, system, accountId, {
  adapter: stripe,
  account: { accountName: 'Shop', defaultCurrency: 'usd', providerAccountId: 'acct_1', livemode: false },
  credentials: { restrictedKey: 'rk_test_1', webhookSecret: 'whsec_1' },
  method: 'credentials',
})
const application = await call('POST', `/accounts/${accountId}/applications`, {
  firstName: 'Ada',
  lastName: 'Applicant',
  email: anEmail('applicant'),
  emailConfirmed: true,
})
const claim = await call('POST', `/partners/${partner.id}/claims`, { orderId: 'A-1001' }, partner.token)
const file = await aPaymentFile(app.services, accountId, payout.id)
const ids: Record<Subject, string> = {
  account: accountId,
  partner: partner.id,
  group: group.id,
  application: application.id,
  goal: goal.id,
  'link-blueprint': blueprint.id,
  'partner-link': ownLink.id,
  asset: asset.id,
  announcement: announcement.id,
  'saved-report': savedReport.id,
  lead: lead.id,
  sale: sale.id,
  case: (await aCase(app, account)).id,
  claim: claim.id,
  commission: sale.commissions[0].id,
  payout: payout.id,
  'payment-file': file.id,
  invoice: invoice.id,
  'outgoing-webhook': webhook.id,
  'incoming-webhook': incoming.id,
  import: imported.id,
}

/** A valid body for each call; one field at a time is then replaced. */
const bodies: Record<string, () => Record<string, unknown>> = {
  createImport: () => ({ kind: 'leads', format: 'csv', csv: 'email\na@b.example', dryRun: true }),
  previewImport: () => ({ csv: 'email\na@b.example', kind: 'leads' }),
  signIn: () => ({ email: someone.email, password: PASSWORD, code: '123456' }),
  signInByLink: () => ({ token: 'unknown', code: '123456' }),
  refreshSession: () => ({ refreshToken: 'unknown' }),
  signOut: () => ({ refreshToken: 'unknown' }),
  resetPassword: () => ({ email: someone.email }),
  changePassword: () => ({
    password: PASSWORD,
    currentPassword: 'not the one there is',
    email: someone.email,
    code: '123456',
  }),
  confirmPassword: () => ({ password: PASSWORD }),
  acceptUserSetup: () => ({ token: 'unknown' }),
  retryUserSetup: () => ({ email: someone.email }),
  changeMe: () => ({ firstName: 'Ann', lastName: 'Lee', preferences: { theme: 'dark' } }),
  createAccount: () => ({ name: 'New', defaultCurrency: 'usd', owner: { email: anEmail(), firstName: 'A' } }),
  changeAccount: () => ({
    name: 'Northwind',
    defaultCurrency: 'usd',
    defaultCommissionSettings: { layerRates: [10, 5] },
    invitationsFromPartners: true,
    payoutDelay: 0,
    minimumPayout: 0,
    paydays: { every: 'month', days: [1, 15] },
    timeZone: 'UTC',
    leadProtectionDays: 90,
    attributionModel: 'last-touch',
    attributionOrder: 'code-first',
    oldLinkParameters: ['via'],
    partnerVisibility: { leadNames: true },
    partnerLeadSubmission: false,
    requireSecondFactor: 'off',
    retention: { rawDataDays: 90, idleLeadMonths: 24, payeeYears: 7 },
    recurringMonths: 12,
    selfReferralPolicy: 'hold',
  }),
  enableAccount: () => ({ reason: 'All is well.' }),
  disableAccount: () => ({ reason: 'To see.' }),
  assignAccountOwner: () => ({ email: account.ownerEmail, firstName: 'Nora', lastName: 'Wind' }),
  orderPayoutMethods: () => ({ order: ['wise'] }),
  savePayPalMethod: () => ({ clientId: 'AX3b7d9f5k2m8', clientSecret: 'EK4c8e0g6l3n9', automatic: false }),
  saveSepaMethod: () => ({
    ...{ name: 'Acme GmbH', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    address: { country: 'DE', city: 'Köln', addressLine: 'Domstraße 1', zipCode: '50668' },
  }),
  changeAutoPayoutSettings: () => ({
    enabled: false,
    wiseToken: null,
    wiseProfileId: null,
    maxPerPayout: 1,
    maxPerRun: 1,
    approvalsAboveCeiling: 1,
  }),
  enterExchangeRate: () => ({ currency: 'eur', date: '2026-01-31', rate: 1.1 }),
  createPartner: () => ({
    firstName: 'Pia',
    lastName: 'Tern',
    email: anEmail(),
    referralCode: anEmail().slice(8, 30).replace(/\W/g, ''),
    commissionSettings: { layerRates: [10] },
    parentPartnerId: parent.id,
    sendInvitation: false,
  }),
  upsertPartner: () => ({
    firstName: 'Pia',
    lastName: 'Tern',
    email: anEmail(),
    referralCode: anEmail().slice(8, 30).replace(/\W/g, ''),
    parentPartnerId: parent.id,
    sendInvitation: false,
  }),
  createPartners: () => ({ partners: [{ email: anEmail() }], sendInvitation: false }),
  createSubPartner: () => ({
    firstName: 'Pia',
    lastName: 'Tern',
    email: anEmail(),
    commissionSettings: null,
    sendInvitation: false,
  }),
  changePartner: () => ({
    firstName: 'Pia',
    lastName: 'Tern',
    email: partner.email,
    referralCode: partner.referralCode,
    commissionSettings: null,
    groupId: group.id,
    appliesTo: 'new-customers',
    keepInGroup: true,
    approvedPayoutYears: [2026],
    parentPartnerId: parent.id,
    taxForm: { kind: 'w-9', receivedOn: '2026-01-31' },
    state: 'active',
    reason: 'To see.',
  }),
  addPromotionCode: () => ({ code: anEmail() }),
  archivePartner: () => ({ subPartners: 'keep', balance: 'pay-out', reason: 'To see.' }),
  savePayoutSettings: () => ({
    legalType: 'PRIVATE',
    name: 'Pia Tern',
    routingNumber: '021000021',
    accountNumber: '12345678',
    accountType: 'CHECKING',
    address: { country: 'us', state: 'ny', city: 'New York', addressLine: '1 Main Street', zipCode: '10001' },
  }),
  draftPayoutForm: () => ({
    ...{ kind: 'local-bank', country: 'MX', currency: 'mxn', type: 'mexican' },
    fields: { legalType: 'PRIVATE', accountHolderName: 'Ana Reyes', clabe: '032180000118359719' },
  }),
  signTaxForm: () => aW9(),
  refreshPayouts: () => ({ gatherOnly: true }),
  approvePayout: () => ({ amount: 1, detailsVersion: null }),
  markPayoutsPaid: () => ({ ids: [payout.id], reference: 'Wire 1', paidAt: '2026-01-31' }),
  adjustBalance: () => ({ amount: 100, reason: 'To see.' }),
  createLinkBlueprint: () => ({
    name: 'Shop',
    destinationUrl: 'https://shop.example.com/',
    parameterName: 'ref',
    utm: { source: 'x' },
    cookieDays: 90,
    attributionModel: 'last-touch',
    passthroughQuery: true,
    commissionSettings: null,
    enabled: true,
  }),
  changeLinkBlueprint: () => ({ ...bodies.createLinkBlueprint!() }),
  createPartnerLink: () => ({
    ...{ name: 'Mine', destinationUrl: blueprint.destinationUrl, subId: 'a', blueprintId: blueprint.id },
  }),
  changePartnerLink: () => ({ name: 'Mine', destinationUrl: blueprint.destinationUrl, subId: 'b' }),
  changeAccountTerms: () => ({
    terms: { rules: [], otherwise: { layerRates: [10, 5] }, maxPerCustomer: null, maxPerMonth: null },
    appliesTo: 'new-customers',
    note: 'To see.',
  }),
  changeGroupTerms: () => ({ ...bodies.changeAccountTerms!() }),
  saveProgram: () => ({
    state: 'open',
    slug: 'acme',
    headline: 'Earn',
    text: 'About us',
    rules: '- No ads',
    questions: [{ label: 'Where?', kind: 'choice', required: true, choices: ['Blog', 'Video'] }],
    autoApprove: false,
    reapplyAfterDays: 30,
    indexed: true,
  }),
  changeInvoicing: () => ({ legalName: 'Acme', vatRate: 19, prefix: 'INV-', taxForms: 'off' }),
  saveInvoiceDetails: () => ({
    ...{
      legalName: 'Whitfield',
      address: { addressLine: 'Lange Straße 7', zipCode: '20095', city: 'Hamburg', state: null },
    },
    ...{ country: 'DE', vatId: 'DE987654321', smallBusiness: false, agreed: true },
  }),
  publishAgreement: () => ({ text: 'Be kind', changes: 'Kinder', requiredFrom: '2099-01-01' }),
  changeAgreementVersion: () => ({ requiredFrom: '2099-01-01' }),
  acceptAgreement: () => ({ version: 1 }),
  createApplication: () => ({
    firstName: 'Ada',
    lastName: 'Byron',
    email: anEmail('applicant'),
    answers: [{ label: 'Why?', value: 'Fun' }],
    by: 'jane',
    groupId: group.id,
    emailConfirmed: true,
  }),
  decideApplications: () => ({
    ids: [application.id],
    decision: 'reject',
    reason: 'other',
    message: 'Later',
    silent: true,
    groupId: group.id,
  }),
  createGroup: () => ({ name: anEmail('group'), publicName: 'Gold partners', joinSlug: null, terms: null }),
  changeGroup: () => ({ name: 'Gold', publicName: 'Gold partners', joinSlug: 'gold' }),
  createGoal: () => ({
    ...{ name: 'Busy', metric: 'sales', window: 'month', atLeast: 1000, bonus: 100, position: 1, preview: true },
  }),
  changeGoal: () => ({ ...bodies.createGoal!() }),
  movePartners: () => ({ partnerIds: [partner.id], groupId: group.id, appliesTo: 'new-customers' }),
  changeLinkTerms: () => ({ ...bodies.changeAccountTerms!() }),
  changePartnerTerms: () => ({ ...bodies.changeAccountTerms!() }),
  createOutgoingWebhook: () => ({
    name: 'Shop',
    url: `https://hooks.example/${anEmail()}`,
    events: ['lead.created'],
    headers: { 'X-Key': 'secret' },
    enabled: true,
  }),
  changeOutgoingWebhook: () => ({
    name: 'CRM',
    url: 'https://hooks.example/in',
    events: ['*'],
    headers: { 'X-Key': 'secret' },
    enabled: true,
  }),
  createIncomingWebhook: () => ({
    name: 'Form',
    target: 'lead',
    auth: {
      type: 'header-hmac',
      header: 'X-Signature',
      algorithm: 'sha256',
      encoding: 'hex',
      prefix: 'sha256=',
      secret: 'x',
    },
    mapping: [{ field: 'email', path: 'contact.email', transform: 'lowercase', default: 'x' }],
    partnerMatch: { by: 'referralCode', path: 'ref' },
    filters: [{ path: 'type', equals: 'form' }],
    dedupePath: 'id',
    enabled: true,
  }),
  changeIncomingWebhook: () => {
    const { target: _, ...rest } = bodies.createIncomingWebhook!()
    return rest
  },
  testIncomingWebhook: () => ({
    payload: { email: 'a@b.example' },
    mapping: [{ field: 'email', path: 'email' }],
    partnerMatch: null,
  }),
  resendFailed: () => ({ since: '2026-01-31T12:00:00.000Z' }),
  testLink: () => ({ destinationUrl: 'https://127.0.0.1/', parameterName: 'ref' }),
  submitLead: () => ({
    firstName: 'Ada',
    lastName: 'Ash',
    email: anEmail('submitted'),
    phone: '+12125550142',
    company: 'Quarry',
    note: 'Met',
  }),
  createLead: () => ({
    partnerId: partner.id,
    firstName: 'Lea',
    lastName: 'Dorn',
    email: anEmail(),
    phone: '+493012345678',
    company: 'Dorn',
    externalId: anEmail(),
    metadata: { plan: 'x' },
  }),
  changeLead: () => ({
    firstName: 'Lea',
    lastName: 'Dorn',
    email: lead.email,
    phone: null,
    company: null,
    externalId: null,
    metadata: {},
    protectedUntil: '2030-01-31',
  }),
  changeLeadStatus: () => ({ status: 'qualified', reason: 'other', note: 'x', sharedNote: 'y' }),
  addLeadNote: () => ({ text: 'x', shared: true }),
  reassignLead: () => ({ partnerId: partner.id, reason: 'To see.' }),
  createSale: () => ({
    amount: 100,
    currency: 'usd',
    saleDate: '2026-01-31',
    taxAmount: 0,
    externalId: anEmail(),
    description: 'x',
  }),
  previewCommission: () => ({ partnerId: partner.id, amount: 100, currency: 'usd', saleDate: '2026-01-31' }),
  previewRates: () => ({ commissionSettings: { layerRates: [10] }, partnerId: partner.id }),
  changeSale: () => ({ description: 'x' }),
  refundSale: () => ({ amount: 1, reason: 'To see.' }),
  voidSale: () => ({ reason: 'To see.' }),
  releaseSale: () => ({ reason: 'To see.' }),
  createClaim: () => ({ orderId: 'A-1002', note: 'Yearly' }),
  acceptClaim: () => ({ saleId: sale.id, reason: 'To see.' }),
  refuseClaim: () => ({ reason: 'To see.' }),
  attributeSale: () => ({ partnerId: partner.id, reason: 'To see.' }),
  markPayoutPaid: () => ({ reference: 'x', paidAt: '2026-01-31' }),
  approvePayouts: () => ({ ids: [payout.id], preview: true }),
  createPaymentFile: () => ({ method: 'csv', ids: [payout.id], preview: true }),
  applyPayoutResults: () => ({
    file: 'recipientId,amount,paymentReference,status\n1,1.00,PO-1,completed\n',
    dryRun: true,
  }),
  remindPartner: () => ({ kind: 'payout-settings' }),
  confirmPayoutReconciliation: () => ({ decisions: [{ transferId: '1', action: 'dismiss', partnerId: partner.id }] }),
  changeTaxYear: () => ({ threshold: 600_00 }),
  approveForTaxYear: () => ({ partnerIds: [partner.id], approved: false }),
  connectProvider: () => ({ provider: 'stripe', credentials: { restrictedKey: 'rk_test_1' } }),
  changeConnection: () => ({ webhookSecret: 'whsec_x' }),
  importPastSales: () => ({ from: '2025-01-31', to: '2026-01-31', dryRun: true }),
  disconnectProvider: () => ({ connectionId: partner.id }),
  pushLeads: () => ({ externalId: 'pushed', email: anEmail(), referralCode: partner.referralCode, metadata: {} }),
  pushSales: () => ({ externalId: anEmail(), leadId: lead.id, amount: 100, currency: 'usd', saleDate: '2026-01-31' }),
  pushRefunds: () => ({ externalId: anEmail(), saleExternalId: 'first', amount: 1, reason: 'x' }),
  pushClicks: () => ({
    blueprintKey: blueprint.key,
    referralCode: partner.referralCode,
    url: 'https://shop.example.com/',
    referrer: 'https://blog.example/',
    ip: '192.0.2.1',
    userAgent: 'x',
    at: '2026-01-31T00:00:00.000Z',
  }),
  saveEmbedCode: () => ({
    config,
    domains: ['shop.example.com'],
    onlyIfReferred: true,
    consentMode: 'off',
    path: 'own-shop',
  }),
  startOidc: () => ({ binding: oidcSecret, confirm: false }),
  finishOidc: () => ({ code: 'unknown', state: 'unknown', iss: 'https://issuer.example', secret: oidcSecret }),
  addTotp: () => ({ code: '123456' }),
  addPasskey: () => ({ name: 'Laptop', credential: structuredClone(secondFactor.addPasskey.body.credential) }),
  signInByPasskey: () => ({ credential: structuredClone(passkeyAssertion) }),
  createMyToken: () => ({ name: 'Assistant', expiresAt: '2999-01-31T00:00:00.000Z' }),
  eraseLead: () => ({ preview: true }),
  erasePartner: () => ({ preview: true }),
  inviteMember: () => ({ email: anEmail(), role: 'viewer', firstName: 'Sam', lastName: 'Reed' }),
  changeMember: () => ({ role: 'viewer', firstName: 'Sam', lastName: 'Reed' }),
  invitePartnerMember: () => ({ email: anEmail(), role: 'owner', firstName: 'Noa', lastName: 'Reed' }),
  changePartnerMember: () => ({ role: 'owner', firstName: 'Noa', lastName: 'Reed' }),
  createPortalSession: () => ({ kind: 'frame' }),
  openPortal: () => ({ token: 'unknown' }),
  changeBrand: () => ({
    logo: base64(aPicture()),
    accent: '#0e7c86',
    frameHosts: ['app.example.com'],
    host: 'join.example.com',
  }),
  createAsset: () => ({ kind: 'text', name: 'Post', body: 'Try it: {link}', blueprintId: null, groupId: null }),
  changeAsset: () => ({ name: 'Banner', image: base64(aPicture()), alt: 'Try it', blueprintId: null, groupId: null }),
  sendAnnouncement: () => ({
    ...{ subject: 'News', body: 'Hello {firstName}', preview: true },
    filter: {
      ...{ ids: [partner.id], state: ['active'], groupId: ['none'], parentPartnerId: [parent.id], approved: false },
      ...{ agreement: ['waiting'], externalId: 'x', from: '2026-01-01', to: '2026-12-31', search: 'Ada' },
    },
  }),
  readAnnouncements: () => ({ upTo: announcement.id }),
  createApiKey: () => ({ name: anEmail().slice(0, 40), rights: ['read'], expiresAt: '2999-01-31T00:00:00.000Z' }),
  startEmbedCheck: () => ({ url: 'https://shop.example.com/' }),
  createSavedReport: () => ({
    ...{ name: 'Sources', by: 'source', period: 'month-to-date', sort: '-revenue', search: 'blog', partnerId: 'none' },
    every: 'week',
  }),
  changeSavedReport: () => ({ ...bodies.createSavedReport!() }),
  saveFraudRules: () => ({
    ...noFraudRules,
    paidAds: { action: 'flag', campaigns: ['spring'] },
    bannedReferrer: { action: 'hold', hosts: ['*.coupons.example'] },
  }),
  releaseCase: () => ({ reason: 'To see.' }),
  voidCase: () => ({ reason: 'To see.' }),
  suspendForCase: () => ({ reason: 'To see.' }),
  askPartner: () => ({ text: 'How did you meet?' }),
  answerQuestion: () => ({ questionId: partner.id, text: 'At a fair.' }),
  assignPromotionCode: () => ({ partnerId: partner.id, code: anEmail() }),
  saveCodeRule: () => ({ rule: null }),
  startBulkAction: () => ({ action: 'activate-partners', ids: [partner.id], reason: 'x' }),
  startRehearsal: () => ({ partnerId: null, blueprintId: null, amount: 100_00 }),
  sendTestMail: () => ({ email: anEmail() }),
  changeMailSubscription: () => ({ enabled: true }),
}

/** Calls made last, because they end a session or remove a thing that other calls need. */
const LAST = ['disableAccount', 'renewApiKey', 'changePassword', 'archivePartner', 'voidSale', 'markPayoutPaid']
const isLast = ({ name, method }: Endpoint) => LAST.includes(name) || method === 'DELETE'
const calls = [...endpoints.filter((one) => !isLast(one)), ...endpoints.filter(isLast)]

/** Undoes the changes of such a call for those that follow. */
async function setBack({ name }: Endpoint) {
  if (name === 'disableAccount') await call('POST', `/accounts/${accountId}/enable`, {}, admin)
  if (name === 'archivePartner') await call('PUT', `/partners/${partner.id}`, { state: 'active' })
  if (name === 'renewApiKey') ({ apiKey } = await call('GET', `/accounts/${accountId}`))
}

function tokenFor({ allow, name, path }: Endpoint): string | null {
  if (name === 'getUserSetup') return link
  if (path === '/mail/subscription') return mailLink
  if (path === '/applications/confirm') return confirmToken(app.services.secrets, { accountId, id: application.id })
  if (path.startsWith('/auth/')) return allow.includes('public') ? null : someone.token
  if (allow.includes('public')) return null
  if (allow.includes('push')) return apiKey
  if (allow.includes('owner')) return owner
  if (allow.includes('partners')) return partnersKey
  if (allow.includes('portal')) return portalToken
  if (allow.includes('admin')) return admin
  return allow.includes('partner') ? partner.token : someone.token
}

const address = ({ path, subject }: Endpoint) =>
  `${app.url}/api/v1${path
    .replace(':id', ids[subject ?? 'account'])
    .replace(':range', '2026-01-01..2026-01-31')
    .replace(':year', '2026')
    .replace(':day', '2026-01-31')
    .replace(':provider', 'stripe')
    .replace(':connectionId/events', `${connection.id}/events`)
    .replace(/:[a-zA-Z]+/g, '01900000-0000-7000-8000-000000000000')}`

// biome-ignore lint/suspicious/noExplicitAny: whatever was answered
type Answered = { status: number; headers: Headers; body: any; text: string }
type Sending = {
  method: string
  url: string
  token?: string | null
  type?: string
  body?: string | Uint8Array<ArrayBuffer> | undefined
}

async function sendOnce({ method, url, token, type = 'application/json', body }: Sending) {
  const sentAt = performance.now()
  const answer = await sendAsIs(url, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': type }),
    },
    body,
  })
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') && answer.text !== ''
  const answered: Answered = { ...answer, body: isJson ? JSON.parse(answer.text) : null }
  return { answered, ms: performance.now() - sentAt }
}

/** Whether the server was too busy and returned a refusal to try again. */
const isBusy = ({ status, body }: Answered) => status === 503 && body?.error?.reason === 'server_busy'

/** Sends it, again if the server is busy; with the milliseconds of the first answer. */
async function sendUntilAnswered(sending: Sending) {
  const first = await sendOnce(sending)
  let { answered } = first
  for (let turn = 0; turn < 5 && isBusy(answered); turn++) {
    await sleep(1000 * Number(answered.headers.get('retry-after')))
    answered = (await sendOnce(sending)).answered
  }
  return { answered, ms: first.ms }
}

const aTrifle = { method: 'GET', url: `${app.url}/api/v1/users/me`, token: owner }

/** Sends it and checks the answer: soon, no failure, and a refusal in words. */
async function send(sending: Sending, what: string): Promise<Answered> {
  let { answered, ms } = await sendUntilAnswered(sending)
  let soon = 1000
  // delays by other work on the machine do not count: a trivial call measures how busy it is
  for (let turn = 0; turn < 5 && ms > soon; turn++) {
    soon = Math.max(1000, 20 * (await sendOnce(aTrifle)).ms)
    ms = (await sendOnce(sending)).ms
  }
  assert.ok(ms <= soon, `${what} took ${Math.round(ms)} ms`)
  assert.ok(answered.status < 500 || answered.status === 502, `${what}: ${answered.status} ${answered.text}`)
  if (answered.status >= 400) assertInWords(answered, what)
  return answered
}

const INNER =
  /\b(select|insert into|update \w+ set|syntax error|constraint|relation|stack|node_modules|zod|undefined)\b/i

function assertInWords({ body, text, headers, status }: Answered, what: string) {
  assert.ok(body, `${what}: ${status} without a body of JSON: ${text.slice(0, 200)}`)
  const { error, requestId, ...rest } = body
  assert.deepEqual(rest, {}, what)
  assert.equal(requestId, headers.get('x-request-id'), what)
  const { code, reason, message, values = {}, fields = {}, details: _details, ...more } = error
  assert.deepEqual(more, {}, what)
  const [coded, catalogued] = refusals[reason as RefusalReason]
  const filled = catalogued.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name])
  assert.deepEqual({ code, message }, { code: coded, message: filled }, what)
  const sentences = [message, ...Object.values(fields)]
  for (const sentence of sentences) {
    assert.equal(typeof sentence, 'string', what)
    assert.ok(sentence.length > 3 && !/^\W/.test(sentence), `${what}: "${sentence}" is no sentence`)
  }
  const said = [code, message.replace(/^[^:]*: /, ''), ...Object.values(fields)].join(' ')
  assert.doesNotMatch(said, INNER, what)
}

/** Works through the things with several callers at once. */
async function each<T>(things: readonly T[], work: (thing: T) => Promise<unknown>, callers = 4) {
  const left = things.values()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (const thing of left) await work(thing)
    }),
  )
}

/** The body's keys, dotted below the first level. */
function keysOf(body: Endpoint['body']): string[] {
  // biome-ignore lint/suspicious/noExplicitAny: JSON Schema
  const read = (schema: any): string[] =>
    (schema.anyOf ?? schema.oneOf ?? [schema]).flatMap((branch: { properties?: object }) =>
      Object.entries(branch.properties ?? {}).flatMap(([key, inner]) => [
        key,
        ...read(inner).map((below) => `${key}.${below}`),
      ]),
    )
  const resolved = z.toJSONSchema(body!, { io: 'input', unrepresentable: 'any', reused: 'inline' })
  const definitions = (resolved.$defs ?? {}) as Record<string, object>
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline)
    if (typeof value !== 'object' || value === null) return value
    const { $ref } = value as { $ref?: string }
    if ($ref) return inline(definitions[$ref.slice($ref.lastIndexOf('/') + 1)])
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inline(inner)]))
  }
  return [...new Set(read(inline(resolved)))]
}

/** The body as JSON text with one field replaced by a piece of JSON text. */
function withField(body: Record<string, unknown>, key: string, json: string): string {
  const MARK = '\u0001here\u0001'
  const copy = structuredClone(body)
  const names = key.split('.')
  const last = names.pop()!
  let inner: Record<string, unknown> = copy
  for (const name of names) {
    if (typeof inner[name] !== 'object' || inner[name] === null) inner[name] = {}
    inner = inner[name] as Record<string, unknown>
  }
  inner[last] = MARK
  return JSON.stringify(copy).replace(JSON.stringify(MARK), () => json)
}

const random = seededRandom(20_261_120)
const isWriting = ({ method }: Endpoint) => method !== 'GET'

test('every call with a body has a valid one here', () => {
  const without = endpoints.filter(({ name, body }) => body && !bodies[name]).map(({ name }) => name)
  assert.deepEqual(without, [])
})

test('bodies that are missing, malformed or unsupported', async () => {
  const tryOne = async (endpoint: Endpoint) => {
    const { method, name } = endpoint
    const to = { method, url: address(endpoint), token: tokenFor(endpoint) }
    for (const { what, type, body, status } of hostileBodies) {
      // valid for calls without a body: they would delete things that later calls need
      if (method === 'DELETE' && [undefined, '', 'null', '[]'].includes(body as string | undefined)) continue
      const answered = await send({ ...to, ...(type && { type }), body }, `${name} with ${what}`)
      if (status) assert.equal(answered.status, status, `${name} with ${what}: ${answered.text}`)
    }
    const { maxBytes = 256_000 } = endpoint
    const tooMuch = await send({ ...to, body: `{"a":"${'x'.repeat(maxBytes)}"}` }, `${name} with too much`)
    assert.equal(tooMuch.status, 413, name)
    const unknown = await send({ ...to, body: '{"isAdmin":true,"a.b":{"c":1}}' }, `${name} with unknown fields`)
    assert.equal(unknown.status, 422, `${name}: ${unknown.text}`)
    // a body of several kinds has no fields before its kind is known
    const { fields } = unknown.body.error
    assert.ok(fields.isAdmin ?? fields.kind ?? fields.action, `${name}: ${unknown.text}`)
    await setBack(endpoint)
  }
  const writing = calls.filter(isWriting)
  await each(
    writing.filter((one) => !isLast(one)),
    tryOne,
  )
  await each(writing.filter(isLast), tryOne, 1)
})

/** Bodies of many small parts, up to `bytes` long as far as that kind of part allows. */
function wideBodies(bytes: number): [string, string][] {
  const fields = (count: number, name = 'k') => Array.from({ length: count }, (_, at) => `"${name}${at}":1`).join(',')
  const many = Math.floor(bytes / 11)
  return [
    ['unknown fields', `{${fields(many)}}`],
    ['unknown fields in one', `{"metadata":{${fields(many - 2)}},"preferences":{}}`],
    ['ones', `[${Array(Math.floor(bytes / 2) - 2).fill(1)}]`],
    ['lists', `[${Array(Math.floor(bytes / 3) - 2).fill('[]')}]`],
    ['ones in a field', `{"ids":[${Array(Math.floor(bytes / 2) - 10).fill(1)}]}`],
    ['long names', `{${fields(400, 'x'.repeat(Math.max(1, Math.floor(bytes / 400) - 12)))}}`],
    ['one name', `{"${'x'.repeat(bytes - 10)}":1}`],
    ['as many as any call takes', `{${fields(450)}}`],
    ['rows', `[${Array(100).fill(`{${fields(50, 'column')}}`)}]`],
    [
      'rows of long names',
      `[${Array(100).fill(`{${fields(20, 'x'.repeat(Math.max(1, Math.floor(bytes / 2000) - 12)))}}`)}]`,
    ],
  ]
}

/** Milliseconds of processor time since then. */
function workSince(before: NodeJS.CpuUsage) {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Bytes per millisecond that a slow machine receives and checks. */
const BYTES_A_MS = 60_000

/** Measures the parsing of a body, which cannot be avoided. */
function parsingOf(body: string) {
  const before = process.threadCpuUsage()
  JSON.parse(body)
  return workSince(before)
}

test('bodies of many small parts are refused at once and briefly', async () => {
  const writing = calls.filter((one) => isWriting(one) && one.method !== 'DELETE')
  const to = writing.map((one) => ({
    method: one.method,
    url: address(one),
    token: tokenFor(one),
    bytes: one.maxBytes ?? 256_000,
  }))
  const doors = [
    `/embed/${publicId}/leads`,
    `/embed/${publicId}/clicks`,
    '/hooks/wise',
    '/hooks/providers/stripe/unknown',
    '/none',
  ]
  for (const path of doors)
    to.push({ method: 'POST', url: app.url + path, token: null, bytes: path.startsWith('/embed') ? 16_000 : 256_000 })
  const bodiesOf = new Map<number, ReturnType<typeof wideBodies>>()
  for (const { bytes } of to) if (!bodiesOf.has(bytes)) bodiesOf.set(bytes, wideBodies(bytes))
  for (const { bytes, ...sending } of to)
    for (const [what, body] of bodiesOf.get(bytes)!) {
      const once = async () => {
        const before = process.threadCpuUsage()
        const { answered } = await sendOnce({ ...sending, body })
        return { answered, ms: workSince(before) }
      }
      // the sender and the check of its shape read the bytes once more each
      const most = 50 + body.length / BYTES_A_MS
      let parsing = 0
      let { answered, ms } = await once()
      const where = `${sending.method} ${sending.url} with ${what}`
      assert.ok(answered.status < 500, `${where}: ${answered.status}`)
      assert.ok(Buffer.byteLength(answered.text) < 64_000, `${where} is answered ${answered.text.length} characters`)
      const fields = Object.keys(answered.body?.error?.fields ?? {})
      assert.ok(fields.length <= 50 && fields.every(Boolean), where)
      const isLong = () => ms - parsing > Math.max(most, 2 * parsing)
      // garbage collection and left-over work do not count
      for (let turn = 0; turn < 5 && isLong(); turn++) {
        // measured at the same time, because the machine's speed varies
        parsing = parsingOf(body)
        ms = (await once()).ms
      }
      assert.ok(!isLong(), `${where} takes ${Math.round(ms - parsing)} ms beside ${Math.round(parsing)} of parsing`)
    }
})

for (const endpoint of calls.filter(({ body }) => body))
  test(`fields of ${endpoint.name}`, async () => {
    const { name, method } = endpoint
    const to = { method, url: address(endpoint), token: tokenFor(endpoint) }
    const make = bodies[name]!
    const keys = keysOf(endpoint.body)
    assert.ok(keys.length > 0, name)
    // a fixed number of bodies per call, whatever its number of fields, so that all are done within a minute
    const share = Math.min(1, 110 / (keys.length * hostileValues.length))
    const tried = keys.flatMap((key) =>
      hostileValues.filter(() => random() < share).map((json) => [key, json] as const),
    )
    const tryOne = async ([key, json]: readonly [string, string]) => {
      const what = `${name} with ${key} = ${json.slice(0, 40)}`
      const answered = await send({ ...to, body: withField(make(), key, json) }, what)
      // the test payload of an incoming webhook may be any JSON; rows have results of their own
      const isAny =
        (name === 'testIncomingWebhook' && key === 'payload') || (name === 'createPartners' && key === 'partners')
      if (!isAny && (json.startsWith('[[') || json.startsWith('{"a"')))
        assert.ok(answered.status >= 400, `${what} was taken`)
    }
    // password hashing is slow on purpose
    await each(tried, tryOne, keys.includes('password') ? 1 : 4)
    const [first] = keys
    const twice = JSON.stringify(make()).replace(/^\{/, `{${JSON.stringify(first)}:{"no":1},`)
    await send({ ...to, body: twice }, `${name} with a field twice`)
    const known = JSON.stringify({ ...make(), unknownField: 1 })
    const unknown = await send({ ...to, body: known }, `${name} with one field too many`)
    assert.equal(unknown.status, 422, `${name}: ${unknown.text}`)
    assert.deepEqual(Object.keys(unknown.body.error.fields), ['unknownField'], name)
    await setBack(endpoint)
  })

test('queries of every list', async () => {
  const lists = calls.filter(({ method, query }) => method === 'GET' && query && keysOf(query).includes('limit'))
  assert.ok(lists.length > 10)
  await each(lists, async (endpoint) => {
    const { name } = endpoint
    const to = { method: 'GET', token: tokenFor(endpoint) }
    const url = address(endpoint)
    for (const query of wrongQueries) {
      const { status, body, text } = await send({ ...to, url: `${url}?${query}` }, `${name}?${query.slice(0, 60)}`)
      assert.equal(status, 422, `${name}?${query.slice(0, 60)}: ${text.slice(0, 300)}`)
      assert.ok(Object.keys(body.error.fields).length > 0, `${name}?${query}`)
    }
    const filters = keysOf(endpoint.query).filter((key) => !['limit', 'cursor', 'search', 'sort'].includes(key))
    for (const filter of filters) {
      for (const value of hostileFilters) {
        const what = `${name}?${filter}=${value.slice(0, 40)}`
        const { status, body } = await send({ ...to, url: `${url}?${filter}=${value}` }, what)
        if (status === 200) assert.ok(Array.isArray(body.items), what)
        else assert.deepEqual([status, Object.keys(body.error.fields ?? {})], [422, [filter]], what)
      }
      const { status } = await send({ ...to, url: `${url}?${filter}[]=1` }, `${name}?${filter}[]`)
      assert.equal(status, 422, `${name}?${filter}[]`)
    }
    for (const query of ['search=%25_%5C', 'search=%F0%9F%92%A9', 'search=%27--', 'search=', 'limit=1', 'limit=100'])
      assert.equal((await send({ ...to, url: `${url}?${query}` }, `${name}?${query}`)).status, 200, `${name}?${query}`)
  })
})

test('unknown IDs and invalid ranges in the path', async () => {
  const ranges = [
    '2026-02-30..2026-03-01',
    '2026-03-01..2026-02-01',
    '2026-01-01',
    '2000-01-01..2026-01-01',
    '2026-01-01..',
    '0000-01-01..0001-01-01',
    '2026-01-01...2026-01-02',
    '%00..%00',
    '-271821-04-20..2026-01-01',
    '9999-12-31..9999-12-31x',
    '9999-01-01..9999-12-31',
    '0001-01-01..0001-12-31',
  ]
  await each(calls, async (endpoint) => {
    const { name, method, path } = endpoint
    const to = { method, token: tokenFor(endpoint), ...(isWriting(endpoint) && { body: '{}' }) }
    for (const parameter of path.match(/:[a-zA-Z]+/g) ?? []) {
      const isRange = parameter === ':range'
      for (const value of isRange ? ranges : wrongIds) {
        const url = address({ ...endpoint, path: path.replace(parameter, () => value) })
        const what = `${name} at ${value.slice(0, 50)}`
        const { status, text } = await send({ ...to, url }, what)
        const right = isRange ? [422] : /%(?![\dA-F]{2})|%ff|%C0/i.test(value) ? [400, 404] : [404, 422]
        assert.ok(right.includes(status), `${what}: ${status} ${text}`)
      }
    }
  })
})

test('endpoints outside the contract: embed, short links, hooks and others', async () => {
  const doors: [string, string][] = [
    ['POST', `/embed/${publicId}/leads`],
    ['POST', `/embed/${publicId}/clicks`],
    ['POST', `/embed/${publicId}/checks`],
    ['POST', '/hooks/wise'],
    ['POST', '/hooks/providers/stripe/unknown'],
    ['POST', '/hooks/providers/stripe'],
    ['POST', '/hooks/providers/stripe/platform'],
    ['POST', '/hooks/in/unknown'],
    ['POST', '/mcp'],
    ['POST', '/mail/unsubscribe/unknown'],
    ['POST', '/api/v1/no/such/call'],
    ['POST', `/r/${blueprint.key}/${partner.referralCode}`],
    ['PUT', '/'],
  ]
  await each(doors, async ([method, path]) => {
    const url = `${app.url}${path}`
    for (const { what, type, body } of hostileBodies)
      await send({ method, url, ...(type && { type }), body }, `${path} with ${what}`)
    for (const json of hostileValues)
      for (const key of ['email', 'referralCode', 'pageUrl', 'elapsedMs', 'token', 'matched', 'clickId'])
        await send({ method, url, body: withField({ email: anEmail() }, key, json) }, `${path}, ${key} = ${json}`)
    const { status } = await send({ method, url, body: 'x'.repeat(300_000) }, `${path} with too much`)
    assert.ok([400, 401, 404, 413].includes(status), `${path}: ${status}`)
  })
  const shown: string[] = [
    ...[`/embed/${publicId}.js`, `/r/${blueprint.key}/`, '/r/', '/embed/', '/leads/', '/oauth/', '/'],
    ...['/mail/unsubscribe/', '/mail/previews/'],
  ]
  await each(shown, async (path) => {
    for (const id of wrongIds) {
      const { answered } = await sendUntilAnswered({ method: 'GET', url: `${app.url}${path}${id}?${id}=${id}` })
      assert.ok(answered.status < 500, `${path}${id}: ${answered.status}`)
    }
  })
})

test('public addresses with odd keys, many at once: neither they nor a visit meanwhile fail', async () => {
  // other calls may have archived the first account's partner
  const own = await anAccount(app)
  const partner = await aPartner(app, own, {})
  const blueprint = await aBlueprint(app, own)
  const odd = [
    ...['%00', 'a%00b', '%ff', '%C0%AE', '%ED%A0%80', '%CC%95'.repeat(160), '%E2%80%AE', '%F0%9F%92%A9', '%'],
    ...[
      '1e9',
      '__proto__',
      'constructor',
      'null',
      "'",
      '%25',
      '%20',
      'x'.repeat(65),
      'x'.repeat(499),
      'x'.repeat(7000),
    ],
  ]
  const addresses = (key: string): [string, string][] => [
    ['GET', `/r/${key}/anything`],
    ['GET', `/r/${blueprint.key}/${key}`],
    ['HEAD', `/r/${key}/${key}`],
    ['GET', `/r/${blueprint.key}/${partner.referralCode}?${key}=${key}`],
    ['GET', `/embed/${key}.js`],
    ['GET', `/s/${key}.js`],
    ['POST', `/embed/${key}/leads`],
    ['POST', `/s/${key}/clicks`],
    ['POST', `/hooks/in/${key}`],
    ['POST', `/hooks/providers/${key}/${key}`],
    ['POST', `/hooks/providers/stripe/${key}`],
    ['GET', `/mail/unsubscribe/${key}`],
    ['POST', `/mail/unsubscribe/${key}`],
    ['GET', `/mail/previews/${key}`],
    ['GET', `/docs/${key}`],
    ['GET', `/api/docs/${key}`],
  ]
  // each link is looked up for the first time, in one group with the odd keys
  const links = await Promise.all(odd.map(() => aBlueprint(app, own)))
  await Promise.all(
    odd.flatMap((key, at) => [
      ...addresses(key).map(async ([method, path]) => {
        const body = method === 'POST' ? '{"email":"a@mail.example"}' : undefined
        const { answered } = await sendUntilAnswered({ method, url: app.url + path, body })
        const { status } = answered
        assert.ok(status < 500, `${method} ${path.slice(0, 80)}: ${status}`)
        if (path.endsWith('/anything') && path.length < 500 && status !== 400)
          assert.match(answered.text, /leads nowhere/)
      }),
      (async () => {
        const seen = () => visit(app, links[at]!.key, partner.referralCode)
        let { status, location } = await seen()
        for (let turn = 0; turn < 5 && status === 503; turn++) {
          await sleep(1000)
          ;({ status, location } = await seen())
        }
        assert.deepEqual([status, location?.includes(partner.referralCode)], [302, true], `beside ${key.slice(0, 40)}`)
      })(),
    ]),
  )
})

test('numbers and dates at the limits', async () => {
  const own = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  const by = async (method: string, path: string, body: unknown) => {
    const url = `${app.url}/api/v1${path}`
    return send(
      { method, url, token: own.token, body: JSON.stringify(body) },
      `${method} ${path} ${JSON.stringify(body)}`,
    )
  }
  const home = `/accounts/${own.id}`
  const { id: partnerId } = await aPartner(app, own)
  const { id } = (await by('POST', `${home}/leads`, { email: anEmail(), partnerId })).body
  const most = 1_000_000_000_000
  assert.equal((await by('POST', `/leads/${id}/sales`, { amount: most, taxAmount: most })).status, 201)
  const inYen = { amount: most, currency: 'jpy', saleDate: '2026-01-01' }
  for (const rate of [1000, 1e9]) {
    await by('POST', `${home}/exchange-rates`, { currency: 'jpy', date: '2026-01-01', rate })
    const sale = await by('POST', `/leads/${id}/sales`, inYen)
    assert.deepEqual(
      [sale.status, sale.body.accountAmount, sale.body.fxRate],
      [201, null, null],
      'waits for a right rate',
    )
    const preview = await by('POST', `${home}/commission-preview`, { ...inYen, leadId: id })
    assert.deepEqual([preview.body.accountAmount, preview.body.entries], [null, []])
  }
  const right = await by('POST', `${home}/exchange-rates`, { currency: 'jpy', date: '2026-01-01', rate: 0.01 })
  assert.equal(right.status, 201)
  const list = await app.api('GET', `${home}/sales?sort=amount`, { token: own.token })
  assert.deepEqual(
    list.body.items.map(({ accountAmount }: { accountAmount: number }) => accountAmount),
    [most, most, most],
  )
  for (const saleDate of ['0001-01-01', '1899-12-31', '9999-12-31'])
    assert.equal((await by('POST', `/leads/${id}/sales`, { amount: 1, saleDate })).status, 422, saleDate)
  for (const protectedUntil of ['0001-01-01', '9999-12-31'])
    assert.equal((await by('PUT', `/leads/${id}`, { protectedUntil })).status, 200, protectedUntil)
})
