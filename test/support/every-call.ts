import { z } from 'zod'
import type { Endpoint, Subject } from '#contract/endpoint.ts'
import { oidcSecret } from '#contract/examples/auth.ts'
import { passkeyAssertion, secondFactor } from '#contract/examples/second-factor.ts'
import { noFraudRules } from '#contract/fraud.ts'
import { endpoints } from '#contract/index.ts'
import { unsubscribeUrl } from '../../server/integrations/mail/unsubscribe.ts'
import { saveConnection } from '../../server/integrations/payment-providers/connections.ts'
import { stripe } from '../../server/integrations/payment-providers/stripe/adapter.ts'
import { system } from '../../server/platform/author.ts'
import { confirmToken } from '../../server/program/applications/application-link.ts'
import { anAccount, anEmail, aPartner, expectOk, PASSWORD, startApp, tokenInLink } from './app.ts'
import { aCase } from './fraud-cases.ts'
import { anInternet } from './internet.ts'
import { anInvoice } from './invoices.ts'
import { aBlueprint } from './links.ts'
import { aPaymentFile } from './payment-files.ts'
import { aPayee } from './payouts.ts'
import { aPicture, base64 } from './pictures.ts'
import { addThings, bodiesOfFeatures } from './sweep.ts'

// A world in which every call of the contract can be made, with a valid body for each.

const nowhere = 'http://127.0.0.1:9'
const settings = { apiUrl: nowhere, clientId: null, secretKey: null, webhookSecret: null }
const platforms = ['stripe', 'paddle', 'paypal', 'square', 'lemon-squeezy', 'shopify', 'polar', 'chargebee', 'recurly']
export const app = await startApp({
  outbound: anInternet().outbound,
  config: {
    wise: { apiUrl: nowhere, apiVersion: 'classic', webhookKey: '' },
    providers: Object.fromEntries(platforms.map((name) => [name, settings])) as never,
  },
})

const account = await anAccount(app, { payoutDelay: 0, invitationsFromPartners: true })
export const { id: accountId, token: owner, admin } = account
const call = async (method: string, path: string, body?: unknown, token = owner) =>
  expectOk(await app.api(method, path, { token, body })).body
await call('PATCH', `/accounts/${accountId}`, { defaultCommissionSettings: { layerRates: [10, 5] } })
const parent = await aPartner(app, account, {})
export const partner = await aPartner(app, account, { parentPartnerId: parent.id }, { signIn: true })
export const blueprint = await aBlueprint(app, account)
const ownLink = await call('POST', `/partners/${partner.id}/links`, {
  ...{ name: 'Mine', destinationUrl: blueprint.destinationUrl },
})
const group = await call('POST', `/accounts/${accountId}/groups`, { name: 'Gold' })
const goal = await call('POST', `/groups/${group.id}/goals`, {
  ...{ name: 'Busy', metric: 'sales', window: 'month', atLeast: 1000, bonus: 100 },
})
const lead = await call('POST', `/accounts/${accountId}/leads`, { partnerId: partner.id, email: anEmail('lead') })
const sale = await call('POST', `/leads/${lead.id}/sales`, { amount: 100_00, externalId: 'first' })
await call('POST', `/accounts/${accountId}/payouts/refresh`)
const [payout] = (await call('GET', `/partners/${partner.id}/payouts`)).items
const payee = await aPayee(app, account)
const invoice = await anInvoice(app, account, payee)
export let { apiKey, publicId } = await call('PUT', `/accounts/${accountId}/api-key`)
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
const link = tokenInLink((await call('GET', `/partners/${invited.id}/invitation`)).url)
const { key: partnersKey } = await call('POST', `/accounts/${accountId}/api-keys`, {
  name: 'App',
  rights: ['partners'],
})
const portalPath = `/partners/${partner.id}/portal-sessions`
const { token: portalToken } = await call('POST', portalPath, { kind: 'frame' }, partnersKey)
const { id: userId } = await call('GET', '/users/me')
const mailLink = unsubscribeUrl(app.url, app.services.secrets, { userId, group: 'leads' }).split('/').at(-1)!

const connection = await saveConnection(app.services, system, accountId, {
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
const things = await addThings({ accountId, partner, call, text: () => 'A-1001' })
const file = await aPaymentFile(app.services, accountId, payout.id)
const ids: Record<Subject, string> = {
  account: accountId,
  partner: partner.id,
  group: group.id,
  application: application.id,
  goal: goal.id,
  'link-blueprint': blueprint.id,
  'partner-link': ownLink.id,
  lead: lead.id,
  sale: sale.id,
  case: (await aCase(app, account)).id,
  ...things,
  commission: sale.commissions[0].id,
  payout: payout.id,
  'payment-file': file.id,
  invoice: invoice.id,
  'outgoing-webhook': webhook.id,
  'incoming-webhook': incoming.id,
  import: imported.id,
}

/** A valid body for each call; one field at a time is then replaced. */
export const bodies: Record<string, () => Record<string, unknown>> = {
  ...Object.fromEntries(
    Object.entries(bodiesOfFeatures).map(([name, body]) => [
      name,
      () => body({ accountId, partner, parent, sale, things }),
    ]),
  ),
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
  createAccount: () => ({
    ...{ name: 'New', defaultCurrency: 'usd', timeZone: 'Asia/Tokyo' },
    owner: { email: anEmail(), firstName: 'A' },
  }),
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
    returningCustomers: 'latest-click',
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
  reorderPayoutMethods: () => ({ order: ['wise'] }),
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
  archivePartner: () => ({ subPartners: 'keep', balance: 'pay-out', reason: 'To see.' }),
  savePayoutSettings: () => ({
    legalType: 'PRIVATE',
    name: 'Pia Tern',
    routingNumber: '021000021',
    accountNumber: '12345678',
    accountType: 'CHECKING',
    address: { country: 'us', state: 'ny', city: 'New York', addressLine: '1 Main Street', zipCode: '10001' },
  }),
  previewPayoutForm: () => ({
    ...{ kind: 'local-bank', country: 'MX', currency: 'mxn', type: 'mexican' },
    fields: { legalType: 'PRIVATE', accountHolderName: 'Ana Reyes', clabe: '032180000118359719' },
  }),
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
    translations: { de: { headline: 'Verdienen', text: 'Über uns', rules: '' }, fr: null },
    questions: [
      {
        ...{ label: 'Where?', kind: 'choice', required: true, choices: ['Blog', 'Video'] },
        translations: { de: { label: 'Wo?', choices: ['Blog', 'Video'] } },
      },
    ],
    autoApprove: false,
    reapplyAfterDays: 30,
    indexed: true,
  }),
  previewProgram: () => ({
    ...{ state: 'open', headline: 'Earn', text: 'About us', rules: '- No ads' },
    ...{ translations: { de: { headline: 'Verdienen' } }, language: 'de' },
  }),
  issueCorrection: () => ({ reason: 'To see.' }),
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
  publishAgreementTranslation: () => ({ language: 'de', text: 'Seien Sie nett', changes: 'Netter' }),
  acceptAgreement: () => ({ version: 1, language: 'en' }),
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
  createGroup: () => ({
    name: anEmail('group'),
    publicName: 'Gold partners',
    translations: {},
    joinSlug: null,
    terms: null,
  }),
  changeGroup: () => ({
    ...{ name: 'Gold', publicName: 'Gold partners', joinSlug: 'gold' },
    translations: { de: { publicName: 'Gold-Partner' } },
  }),
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
  resendFailedDeliveries: () => ({ since: '2026-01-31T12:00:00.000Z' }),
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
  restoreSale: () => ({ reason: 'To see.' }),
  releaseSale: () => ({ reason: 'To see.' }),
  attributeSale: () => ({ partnerId: partner.id, reason: 'To see.' }),
  markPayoutPaid: () => ({ reference: 'x', paidAt: '2026-01-31' }),
  confirmReward: () => ({ reference: 'x' }),
  approvePayouts: () => ({ ids: [payout.id], preview: true }),
  createPaymentFile: () => ({ method: 'csv', ids: [payout.id], preview: true }),
  applyPayoutResults: () => ({
    file: 'recipientId,amount,paymentReference,status\n1,1.00,PO-1,completed\n',
    dryRun: true,
  }),
  remindPartner: () => ({ kind: 'payout-settings' }),
  confirmPayoutReconciliation: () => ({ decisions: [{ transferId: '1', action: 'dismiss', partnerId: partner.id }] }),
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
    forms: 'sign-ups',
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
  startEmbedCheck: () => ({ url: 'https://shop.example.com/' }),
  saveFraudRules: () => ({
    ...noFraudRules,
    paidAds: { action: 'flag', campaigns: ['spring'] },
    bannedReferrer: { action: 'hold', hosts: ['*.coupons.example'] },
  }),
  answerQuestion: () => ({ questionId: partner.id, text: 'At a fair.' }),
  saveCodeRule: () => ({ rule: null }),
  startBulkAction: () => ({ action: 'activate-partners', ids: [partner.id], reason: 'x' }),
  previewEarlierSales: () => ({ ids: [lead.id] }),
  startRehearsal: () => ({ partnerId: null, blueprintId: null, amount: 100_00 }),
  sendTestMail: () => ({ email: anEmail() }),
  changeMailSubscription: () => ({ enabled: true }),
}

/** Calls made last, because they end a session or remove a thing that other calls need. */
const LAST = [
  'disableAccount',
  'renewApiKey',
  'changePassword',
  'archivePartner',
  'voidSale',
  'restoreSale',
  'markPayoutPaid',
]
export const isLast = ({ name, method }: Endpoint) => LAST.includes(name) || method === 'DELETE'
export const calls = [...endpoints.filter((one) => !isLast(one)), ...endpoints.filter(isLast)]

/** Undoes the changes of such a call for those that follow. */
export async function setBack({ name }: Endpoint) {
  if (name === 'disableAccount') await call('POST', `/accounts/${accountId}/enable`, {}, admin)
  if (name === 'archivePartner') await call('PUT', `/partners/${partner.id}`, { state: 'active' })
  if (name === 'renewApiKey') ({ apiKey } = await call('GET', `/accounts/${accountId}`))
}

export function tokenFor({ allow, name, path, subject }: Endpoint): string | null {
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
  if (!allow.includes('partner')) return someone.token
  return subject === 'invoice' ? payee.token : partner.token
}

export const buildAddress = ({ path, subject }: Endpoint) =>
  `${app.url}/api/v1${path
    .replace(':id', ids[subject ?? 'account'])
    .replace(':range', '2026-01-01..2026-01-31')
    .replace(':kind', 'sale-credited')
    .replace(':year', '2026')
    .replace(':day', '2026-01-31')
    .replace(':provider', 'stripe')
    .replace(':connectionId/events', `${connection.id}/events`)
    .replace(/:[a-zA-Z]+/g, '01900000-0000-7000-8000-000000000000')}`

export type JsonSchema = {
  type?: string
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  enum?: unknown[]
  const?: unknown
  maxLength?: number
  maxItems?: number
  maximum?: number
}

/** The body's keys, dotted below the first level. */
export const listBodyKeys = (body: Endpoint['body']): string[] => [...listBodySchemas(body).keys()]

/** The JSON Schemas of the body's keys, dotted below the first level. */
export function listBodySchemas(body: Endpoint['body']): Map<string, JsonSchema> {
  const read = (schema: JsonSchema): [string, JsonSchema][] =>
    (schema.anyOf ?? schema.oneOf ?? [schema]).flatMap((branch) =>
      Object.entries(branch.properties ?? {}).flatMap(([key, inner]): [string, JsonSchema][] => [
        [key, inner],
        ...read(inner).map(([below, deeper]): [string, JsonSchema] => [`${key}.${below}`, deeper]),
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
  return new Map(read(inline(resolved) as JsonSchema))
}

/** The body as JSON text with one field replaced by a piece of JSON text. */
export function withField(body: Record<string, unknown>, key: string, json: string): string {
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
