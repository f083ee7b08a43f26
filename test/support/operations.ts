import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { MOST_IN_BULK } from '#contract/bulk-actions.ts'
import type { Subject } from '#contract/endpoint.ts'
import { accounts } from '#contract/examples/accounts.ts'
import { oidcCode, oidcSecret } from '#contract/examples/auth.ts'
import { groups } from '#contract/examples/groups.ts'
import { incomingWebhooks } from '#contract/examples/incoming-webhooks.ts'
import { idsOfSubjects } from '#contract/examples/index.ts'
import { leads } from '#contract/examples/leads.ts'
import { links } from '#contract/examples/links.ts'
import {
  account as accountExample,
  blueprint,
  connectionKey,
  ids,
  incomingToken,
  linkToken,
  owner,
  partner,
  password,
  restrictedKey,
  session,
  webhookAddress,
  wiseProfileId,
} from '#contract/examples/objects.ts'
import { outgoingWebhooks } from '#contract/examples/outgoing-webhooks.ts'
import { partners } from '#contract/examples/partners.ts'
import { payouts } from '#contract/examples/payouts.ts'
import { portal as portalExamples } from '#contract/examples/portal.ts'
import { sales } from '#contract/examples/sales.ts'
import * as secondFactor from '#contract/examples/second-factor.ts'
import type { RefusalReason } from '#contract/refusals.ts'
import { workOnCode } from '#features/promotion-codes/server/make-codes.ts'
import { unsubscribeUrl } from '../../server/integrations/mail/unsubscribe.ts'
import { readConfig } from '../../server/platform/config/config.ts'
import { NIL, newId } from '../../server/platform/database/ids.ts'
import type { Clock, Database } from '../../server/platform/database/pool.ts'
import type { Replica } from '../../server/platform/database/replica/replica.ts'
import { tokenHash } from '../../server/platform/database/secrets.ts'
import { confirmToken } from '../../server/program/applications/application-link.ts'
import { oidcAt, standInIssuer, type TestIssuer } from '../fakes/oidc.ts'
import { standInPaypal } from '../fakes/paypal.ts'
import { fakeReceiver } from '../fakes/receiver.ts'
import { fakeStripe } from '../fakes/stripe.ts'
import { deliverStripeEvent, stripeId, stripePayment, stripePromotionCode, toSeconds } from '../fakes/stripe-events.ts'
import { fakeWise } from '../fakes/wise.ts'
import {
  acceptInvitation,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  getAdministratorToken,
  signIn,
  startApp,
  type TestAccount,
  type TestApp,
  tokenInLink,
  turnableClock,
  waitUntil,
} from './app.ts'
import { Authenticator, totpCode } from './authenticator.ts'
import { aBackupFolder } from './backups.ts'
import { aCase } from './fraud-cases.ts'
import { anInternet } from './internet.ts'
import { anInvoice, invoiceDetails } from './invoices.ts'
import { aConnection, PLATFORM, SIGNING_SECRET, type TestStripe } from './payment-providers.ts'
import { aPayee, aPayout, connectWise } from './payouts.ts'
import { findSavedMail } from './saved-mails.ts'
import { addThings, preparationsOfFeatures } from './sweep.ts'

/** Ids of the examples, with those of the story's account that replace them. */
export type Instead = Record<string, string>

/** The product with the account that the examples describe. */
export type Story = {
  app: TestApp
  account: TestAccount
  /** The tokens of the roles that calls allow. */
  tokens: { admin: string; owner: string; partner: string; push: string; partners: string; portal: string }
  wiseToken: string
  paypalApp: { clientId: string; clientSecret: string }
  stripe: TestStripe
  issuer: TestIssuer
  instead: Instead
  post(path: string, body?: unknown, token?: string): Promise<Any>
}

// biome-ignore lint/suspicious/noExplicitAny: whatever was answered
type Any = any

/** The needs of one operation beyond the story: its own thing that it may end, or another caller. */
type Prepared = { instead?: Instead; token?: string }
export type Prepare = (story: Story) => Promise<Prepared>

/** `over`: opens another database than a fresh one. */
export async function buildStory(
  over: (clock: Clock) => Promise<{ db?: Database; replica?: Replica }> = async () => ({}),
): Promise<Story> {
  const [stripe, wise, paypal, receiver, issuer] = await Promise.all([
    fakeStripe({ platform: PLATFORM }),
    fakeWise(),
    standInPaypal(),
    fakeReceiver(),
    standInIssuer(),
  ])
  const site = createServer((_, response) => response.end())
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  after(() => {
    site.close()
    return Promise.all([stripe.close(), wise.close(), paypal.close(), receiver.close(), issuer.close()])
  })
  const { providers, wise: wiseSettings } = readConfig({})
  const clock = turnableClock('2026-08-27T12:00:00Z')
  const app = await startApp({
    clock,
    ...(await over(clock)),
    worker: true,
    named: true,
    outbound: anInternet().outbound,
    config: {
      allowPrivateWebhookTargets: true,
      oidc: { ...oidcAt(issuer), domains: ['mail.example'] },
      providers: {
        ...providers,
        stripe: { apiUrl: stripe.url, ...PLATFORM },
        paypal: { ...providers.paypal, apiUrl: paypal.url },
      },
      wise: { ...wiseSettings, apiUrl: wise.url },
      backups: { folder: await aBackupFolder(), everyHours: 24, keep: 7 },
    },
  })
  const admin = await getAdministratorToken(app)
  const post = async (path: string, body?: unknown, token?: string) =>
    sent(app, 'POST', path, token ?? account.token, body)

  const made = await sent(app, 'POST', '/accounts', admin, accounts.createAccount.body)
  const { token } = await acceptInvitation(app, made.ownerInvitation.url, password)
  const account = { id: made.id, token, ownerEmail: owner.email, admin }
  await sent(app, 'PATCH', `/accounts/${account.id}`, token, {
    ...accounts.changeAccount.body,
    invitationsFromPartners: true,
  })
  await connectWise(app, account, wise)
  const jane = await aPartner(app, account, partners.createPartner.body, { signIn: true })
  const sam = await post(`/partners/${jane.id}/partners`, partners.createSubPartner.body)
  const group = await post(`/accounts/${account.id}/groups`, groups.createGroup.body)
  const goal = await post(`/groups/${group.id}/goals`, groups.createGoal.body)
  const application = await post(`/accounts/${account.id}/applications`, {
    ...{ firstName: 'Sam', lastName: 'Ortiz', email: anEmail('applicant'), emailConfirmed: true },
  })
  await post(`/accounts/${account.id}/agreement`, { text: 'Be kind.' })
  await post(`/accounts/${account.id}/agreement`, { text: 'Be kinder.', changes: 'Kinder.' })
  const link = await post(`/accounts/${account.id}/link-blueprints`, links.createLinkBlueprint.body)
  const ownLink = await post(`/partners/${jane.id}/links`, { name: 'Mine', destinationUrl: link.destinationUrl })
  const { apiKey } = await sent(app, 'PUT', `/accounts/${account.id}/api-key`, token)
  const lead = await post('/push/leads', leads.pushLeads.body, apiKey)
  // today's, because a payment before the lead's referral earns nothing
  const sale = await post('/push/sales', { ...sales.pushSales.body, saleDate: undefined }, apiKey)
  const call = (method: string, path: string, body?: object, by = token) => sent(app, method, path, by, body)
  const things = await addThings({ accountId: account.id, partner: jane, call, text: () => 'Another' })
  const payout = await aPayout(app, account, await aPayee(app, account), 79_84)
  const { id: due } = await aPayout(app, account, await aPayee(app, account), 79_84)
  const paymentFile = await post(`/accounts/${account.id}/payment-files`, { method: 'csv', ids: [due] })
  await sent(app, 'PUT', `/partners/${jane.id}`, token, { approvedPayoutYears: [clock.now().getUTCFullYear()] })
  const invoice = await anInvoice(app, account, jane)
  const { id: caseId } = await aCase(app, account, { id: jane.id, email: partner.email })
  const connection = await aConnection(app, account, stripe)
  const of = `/accounts/${account.id}`
  const webhook = await post(`${of}/outgoing-webhooks`, {
    ...outgoingWebhooks.createOutgoingWebhook.body,
    url: receiver.url,
  })
  const delivery = await post(`/outgoing-webhooks/${webhook.id}/test`)
  const incoming = await post(`${of}/incoming-webhooks`, incomingWebhooks.createIncomingWebhook.body)
  const { key: partnersKey } = await post(`${of}/api-keys`, { name: 'App', rights: ['partners'] })
  const portal = await post(`/partners/${jane.id}/portal-sessions`, { kind: 'frame' }, partnersKey)

  return {
    app,
    account,
    tokens: { admin, owner: token, partner: jane.token, push: apiKey, partners: partnersKey, portal: portal.token },
    wiseToken: wise.token,
    paypalApp: { clientId: paypal.clientId, clientSecret: paypal.clientSecret },
    stripe,
    issuer,
    post,
    instead: {
      [ids.account]: account.id,
      [ids.partner]: jane.id,
      [ids.subPartner]: sam.id,
      [ids.group]: group.id,
      [ids.goal]: goal.id,
      [ids.application]: application.id,
      [ids.blueprint]: link.id,
      [blueprint.key]: link.key,
      [ids.ownLink]: ownLink.id,
      [ids.lead]: lead.id,
      [ids.sale]: sale.id,
      [ids.case]: caseId,
      ...Object.fromEntries(Object.entries(things).map(([subject, id]) => [idsOfSubjects[subject as Subject], id])),
      [ids.entry]: sale.commissions[0].id,
      [ids.payout]: payout.id,
      [ids.paymentFile]: paymentFile.id,
      [ids.invoice]: invoice.id,
      [ids.connection]: connection.id,
      [ids.outgoingWebhook]: webhook.id,
      [ids.outgoingDelivery]: delivery.id,
      [ids.incomingWebhook]: incoming.id,
      [JSON.stringify(wiseProfileId)]: JSON.stringify(String(wise.businessId)),
      [restrictedKey]: stripe.key,
      [webhookAddress]: receiver.url,
      [accountExample.publicId]: made.publicId,
      [incomingToken]: incoming.url.split('/').at(-1),
      [connectionKey]: connection.webhookUrl.split('/').at(-1)!,
      [blueprint.destinationUrl]: `http://127.0.0.1:${(site.address() as AddressInfo).port}/pricing`,
    },
  }
}

const sent = async (app: TestApp, method: string, path: string, token: string, body?: unknown): Promise<Any> =>
  expectOk(await app.api(method, path, { token, body })).body

/** Milliseconds before which an invitation is not sent again. */
const A_MINUTE = 60_000

/** Another account, for operations that would block the story or end it. */
async function elsewhere({ app }: Story, more: Instead = {}): Promise<Prepared & { account: TestAccount }> {
  const account = await anAccount(app)
  return { account, token: account.token, instead: { [ids.account]: account.id, ...more } }
}

/** Another account, in euros. */
async function inEuros({ app }: Story): Promise<Prepared & { account: TestAccount }> {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  return { account, token: account.token, instead: { [ids.account]: account.id } }
}

/** Another account with Jane in it, which calls by API key. */
async function elsewhereByKey(story: Story) {
  const { account } = await elsewhere(story)
  const { apiKey } = await sent(story.app, 'PUT', `/accounts/${account.id}/api-key`, account.token)
  await aPartner(story.app, account, partners.createPartner.body)
  return { account, token: apiKey as string }
}

/** A person of the team, who has accepted if `active`. */
const aMember =
  (active: boolean) =>
  async ({ app, account }: Story): Promise<Prepared> => {
    const body = { email: anEmail('colleague'), role: 'viewer' }
    const { userId, url } = await sent(app, 'POST', `/accounts/${account.id}/members`, account.token, body)
    if (active) await acceptInvitation(app, url)
    else app.clock.advance(A_MINUTE)
    return { instead: { [ids.member]: userId } }
  }

/** Invited by the partner; only owners of the account read the link. */
const aPartnerMember =
  (active: boolean) =>
  async ({ app, account }: Story): Promise<Prepared> => {
    const { id, token } = await aPartner(app, account, {}, { signIn: true })
    const at = `/partners/${id}/members`
    const { userId } = await sent(app, 'POST', at, token, { email: anEmail('colleague'), role: 'member' })
    const { items } = expectOk(await app.api('GET', at, { token: account.token })).body
    if (active) await acceptInvitation(app, items.find((one: Any) => one.userId === userId).url)
    else app.clock.advance(A_MINUTE)
    return { token, instead: { [ids.partner]: id, [ids.member]: userId } }
  }

/** A rule by which the account's connection makes codes, saved unless `when` is null. */
async function aCodeRule({ app, account, stripe, instead }: Story, when: 'approval' | 'asking' | null) {
  const couponId = stripeId('coupon')
  stripe.store.set(couponId, { id: couponId, object: 'coupon', name: 'Partners', created: 1, livemode: false })
  const rule = { when: when ?? 'approval', pattern: '{name}10', couponId }
  const path = `/accounts/${account.id}/payment-providers/${instead[ids.connection]}/code-rule`
  if (when) await sent(app, 'PUT', path, account.token, { rule })
  return rule
}

async function asking(story: Story): Promise<Prepared> {
  await aCodeRule(story, 'asking')
  const partner = await aPartner(story.app, story.account, {}, { signIn: true })
  return { token: partner.token, instead: { [ids.partner]: partner.id } }
}

/** An import of a new account each time, because an account has one at a time; finished if `ended`. */
const anImport = (ended: boolean) => async (story: Story) => {
  const { app } = story
  const { account, token } = await elsewhere(story)
  const rows = Array.from({ length: ended ? 1 : 2000 }, () => `${anEmail('imported')},Hannah`)
  const body = { kind: 'leads', csv: ['Email,First Name', ...rows].join('\n'), dryRun: false }
  const { id } = await sent(app, 'POST', `/accounts/${account.id}/imports`, account.token, body)
  if (ended)
    await waitUntil(async () => {
      const { state } = await sent(app, 'GET', `/imports/${id}`, account.token)
      return state === 'done'
    })
  return { token, instead: { [ids.import]: id } } as Prepared
}

/** An action that takes a few seconds, since no partner has these ids. */
async function aBulkAction({ account, post }: Story): Promise<Prepared> {
  const body = { action: 'remind-partners', ids: Array.from({ length: MOST_IN_BULK }, () => newId()) }
  const { id } = await post(`/accounts/${account.id}/bulk-actions`, body)
  return { instead: { [ids.bulkAction]: id } }
}

/** Another account, whose one partner has the code in the file. */
async function elsewhereWithCode(story: Story) {
  const { account, ...prepared } = await elsewhere(story)
  await aPartner(story.app, account, partners.createPartner.body)
  return prepared
}

async function aMail({ app, tokens }: Story): Promise<Prepared> {
  const { id } = await sent(app, 'POST', '/mail/tests', tokens.admin, { email: anEmail('tried') })
  return { instead: { [ids.mail]: id } }
}

/** The partner was asked about the account's case. */
async function aQuestion({ app, account, instead }: Story): Promise<Prepared> {
  const path = `/cases/${instead[ids.case]}/question`
  await app.api('POST', path, { token: account.token, body: { text: 'How did you meet this customer?' } })
  return {}
}

/** An event that is no longer retried. */
async function aParkedEvent({ app }: Story): Promise<Prepared> {
  const { db } = app.services
  const { id } = await db.one<{ id: string }>`
    with told as (
      insert into passing_events (id, account_id, at, type, kind, audited, actor_type, data)
      values (${newId()}, ${NIL}, ${db.now}, 'test.noticed', 'internal', false, 'system', '{}') returning id, account_id)
    insert into event_relays (event_id, account_id, tries, error, parked_at)
    select id, account_id, 12, 'planted', ${db.now} from told returning event_id as id`
  return { instead: { [ids.parked]: id } }
}

/** The token in the link at the end of a mail. */
async function aMailLink({ app, account }: Story): Promise<Prepared> {
  const { id: userId } = await sent(app, 'GET', '/users/me', account.token)
  return { token: unsubscribeUrl(app.url, app.services.secrets, { userId, group: 'leads' }).split('/').at(-1)! }
}

/** A user with a password, in any account. */
async function aUser({ app, account }: Story) {
  const email = anEmail('user')
  const { id } = await aPartner(app, account, { email })
  const { url } = expectOk(await app.api('GET', `/partners/${id}/invitation`, { token: account.token })).body
  return { email, ...(await acceptInvitation(app, url, password)) }
}

const aLead = ({ account, post }: Story, fields: object = {}) =>
  post(`/accounts/${account.id}/leads`, { email: anEmail('lead'), ...fields })

async function aSale(story: Story, fields: object = {}, to: 'partner' | 'nobody' = 'partner') {
  const lead = await aLead(story, to === 'partner' ? { partnerId: story.instead[ids.partner], ...fields } : fields)
  return story.post(`/leads/${lead.id}/sales`, sales.createSale.body)
}

const anotherPartner = async ({ app, account }: Story) => {
  const { id } = await aPartner(app, account)
  return { instead: { [ids.partner]: id, [ids.subPartner]: id } }
}

async function anotherPayout({ app, account }: Story) {
  const { id } = await aPayout(app, account, await aPayee(app, account), 79_84)
  return { instead: { [ids.payout]: id } }
}

/** An account whose payouts are paused because of a transfer that it does not know. */
async function aPausedAccount(story: Story) {
  const other = await elsewhere(story)
  const { db } = story.app.services
  const { id } = await aPartner(story.app, other.account)
  const [decision] = payouts.confirmPayoutReconciliation.body!.decisions!
  const readingId = newId()
  const { id: accountId } = other.account
  await db.run`insert into payout_accounts (account_id, updated_at) values (${accountId}, ${db.now}) on conflict do nothing`
  await db.run`
    insert into payout_reconciliations (account_id, paused_at, reading_id, read_at, updated_at)
    values (${accountId}, ${db.now}, ${readingId}, ${db.now}, ${db.now})`
  await db.run`
    insert into transfers_read (account_id, transfer_id, reading_id, paid_from, reference, amount, state, standing)
    values (${accountId}, ${decision!.transferId}, ${readingId}, '16521631', 'PO-1061', 7984, 'processing', 'moving')`
  return { ...other, instead: { ...other.instead, [ids.partner]: id } }
}

async function aFailedDelivery({ app, account, instead }: Story) {
  const path = `/incoming-webhooks/${instead[ids.incomingWebhook]}`
  const { token } = account
  const { url } = expectOk(await app.api('GET', path, { token })).body
  const body = JSON.stringify({ contact: { name: 'Hannah Cole' }, number: anEmail() })
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { deliveryId } = (await answer.json()) as { deliveryId: string }
  await waitUntil(async () => {
    const { items } = expectOk(await app.api('GET', `${path}/deliveries?state=failed`, { token })).body
    return items.some(({ id }: { id: string }) => id === deliveryId)
  })
  return { instead: { [ids.incomingDelivery]: deliveryId } }
}

/** A delivery with the external ID of a lead and another email. */
async function aDeliveryOfAnother({ app, account, post }: Story) {
  const mapping = ['externalId', 'email'].map((field) => ({ field, path: field }))
  const hook = await post(`/accounts/${account.id}/incoming-webhooks`, { name: 'Other', target: 'lead', mapping })
  const externalId = anEmail()
  let deliveryId = ''
  for (const email of [anEmail(), anEmail()]) {
    const body = JSON.stringify({ externalId, email })
    const answer = await fetch(hook.url, { method: 'POST', body })
    deliveryId = ((await answer.json()) as { deliveryId: string }).deliveryId
    const path = `/incoming-webhooks/${hook.id}/deliveries/${deliveryId}`
    await waitUntil(
      async () => expectOk(await app.api('GET', path, { token: account.token })).body.state === 'processed',
    )
  }
  return { instead: { [ids.incomingWebhook]: hook.id, [ids.incomingDelivery]: deliveryId } }
}

/**
 * The preparation of an operation beyond the story, by its `operationId`. Most need none; one that would make an
 * existing thing again, or end one that others need, gets a thing or its own account.
 */
/** A user with a passkey. */
async function withPasskey(story: Story) {
  const { token } = await aUser(story)
  const key = new Authenticator(story.app.services.config.appUrl)
  const { challenge } = expectOk(await story.app.api('POST', '/users/me/passkeys/options', { token })).body
  const body = { name: 'Laptop', credential: key.create(challenge) }
  const { id } = expectOk(await story.app.api('POST', '/users/me/passkeys', { token, body })).body.passkey
  return { token, key, id: id as string }
}

/** Starts to set up an authenticator app; returns the code it shows. */
async function startedTotp({ app }: Story, token: string) {
  const { secret } = expectOk(await app.api('POST', '/users/me/totp', { token })).body
  return totpCode(secret, app.clock.now())
}

/** Maps each text of an example to that at the same place. */
function sameShape(example: object, own: object): Instead {
  const pairs = Object.entries(example).flatMap(([key, value]): [string, string][] => {
    const other = (own as Record<string, unknown>)[key]
    if (typeof value === 'string' && typeof other === 'string') return [[value, other]]
    return value && other && !Array.isArray(value) ? Object.entries(sameShape(value, other)) : []
  })
  return Object.fromEntries(pairs)
}

/** Another application that waits. */
const anApplication = ({ account, post }: Story) => {
  const body = { firstName: 'Noa', lastName: 'Reed', email: anEmail('applicant'), emailConfirmed: true }
  return post(`/accounts/${account.id}/applications`, body)
}

async function anApplicationLink(story: Story): Promise<Prepared> {
  const { id } = await anApplication(story)
  return { token: confirmToken(story.app.services.secrets, { accountId: story.account.id, id }) }
}

export const preparations: Record<string, Prepare> = {
  ...preparationsOfFeatures,
  /** An invoice of a partner who has moved since. */
  async issueCorrection({ app, account }) {
    const partner = await aPayee(app, account)
    const invoice = await anInvoice(app, account, partner)
    await invoiceDetails(app, partner, { legalName: 'Renamed' })
    return { instead: { [ids.invoice]: invoice.id } }
  },
  acceptUserSetup: async (story) => {
    const { email, token } = await aUser(story)
    const other = await elsewhere(story)
    await aPartner(story.app, other.account, { email })
    const { link } = await findSavedMail(story.app, 'invitation', email, /Sign in with this email address/)
    return { token, instead: { [linkToken]: tokenInLink(link!) } }
  },
  changePassword: async (story) => ({ token: (await aUser(story)).token }),
  getUserSetup: async ({ app, account, instead }) => {
    const path = `/partners/${instead[ids.subPartner]}/invitation`
    return { token: tokenInLink(expectOk(await app.api('GET', path, { token: account.token })).body.url) }
  },
  getApplicationToConfirm: anApplicationLink,
  confirmApplication: anApplicationLink,
  decideApplications: async (story) => ({ instead: { [ids.application]: (await anApplication(story)).id } }),
  createApplication: elsewhere,
  saveProgram: elsewhere,
  publishAgreement: elsewhere,
  deleteMyToken: async ({ app, account }) => {
    const { id } = await sent(app, 'POST', '/users/me/tokens', account.token, { name: 'Other' })
    return { instead: { [ids.userToken]: id } }
  },
  refreshSession: async (story) => {
    const { refreshToken } = await aUser(story)
    return { instead: { [session.refreshToken]: refreshToken } }
  },
  signInByLink: async (story) => {
    const { ownerEmail: email } = (await elsewhere(story)).account
    expectOk(await story.app.api('POST', '/auth/reset-password', { body: { email } }))
    const { text } = await findSavedMail(story.app, 'password-reset', email)
    return { instead: { [linkToken]: tokenInLink(/http\S+\/auth\/sign-in#token=\S+/.exec(text)![0]) } }
  },
  finishOidc: async (story) => {
    const { email } = await aUser(story)
    const secret = randomBytes(32).toString('base64url')
    const binding = tokenHash(secret).toString('base64url')
    const { url } = expectOk(await story.app.api('POST', '/auth/oidc', { body: { binding } })).body
    story.issuer.person = { sub: email, email, email_verified: true }
    const back = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location')!)
    const { code, state } = Object.fromEntries(back.searchParams)
    return { instead: { [oidcCode]: code!, [linkToken]: state!, [oidcSecret]: secret } }
  },
  signInByPasskey: async (story) => {
    const { key } = await withPasskey(story)
    const { challenge } = expectOk(await story.app.api('POST', '/auth/passkeys/options')).body
    return { instead: sameShape(secondFactor.passkeyAssertion, key.get(challenge)) }
  },
  addPasskey: async (story) => {
    const { token } = await aUser(story)
    const { challenge } = expectOk(await story.app.api('POST', '/users/me/passkeys/options', { token })).body
    const key = new Authenticator(story.app.services.config.appUrl)
    return { token, instead: sameShape(secondFactor.passkeyCreation, key.create(challenge)) }
  },
  removePasskey: async (story) => {
    const { token, id } = await withPasskey(story)
    return { token, instead: { [ids.userToken]: id } }
  },
  renewRecoveryCodes: withPasskey,
  startAddingPasskey: async (story) => ({ token: (await aUser(story)).token }),
  addTotp: async (story) => {
    const { token } = await aUser(story)
    return { token, instead: { [secondFactor.totpCode]: await startedTotp(story, token) } }
  },
  removeTotp: async (story) => {
    const { token } = await aUser(story)
    const code = await startedTotp(story, token)
    expectOk(await story.app.api('PUT', '/users/me/totp', { token, body: { code } }))
    return { token }
  },
  endOtherSessions: async (story) => ({ token: (await aUser(story)).token }),
  endSession: async (story) => {
    const { email, token } = await aUser(story)
    await signIn(story.app, email, password)
    const { items } = expectOk(await story.app.api('GET', '/users/me/sessions', { token })).body
    return { token, instead: { [ids.session]: items.find((one: Any) => !one.current).id } }
  },

  changePartnerMember: aPartnerMember(true),
  removePartnerMember: aPartnerMember(true),
  retryPartnerMemberInvitation: aPartnerMember(false),
  checkHost: async ({ app, account }) => {
    await sent(app, 'PUT', `/accounts/${account.id}/brand`, account.token, { host: 'refer.acme.example' })
    return {}
  },
  changeMember: aMember(true),
  removeMember: aMember(true),
  retryMemberInvitation: aMember(false),

  createImport: elsewhereWithCode,
  getImport: anImport(true),
  downloadImportErrors: anImport(true),
  cancelImport: anImport(false),
  downloadBulkActionRefusals: aBulkAction,
  getBulkAction: aBulkAction,
  cancelBulkAction: aBulkAction,
  undoImport: anImport(true),

  getLoggedMail: aMail,
  getMailSubscription: aMailLink,
  changeMailSubscription: aMailLink,

  assignAccountOwner: async (story) => ({ ...(await elsewhere(story)), token: story.tokens.admin }),
  disableAccount: async (story) => ({ ...(await elsewhere(story)), token: story.tokens.admin }),
  enableAccount: async (story) => ({ ...(await elsewhere(story)), token: story.tokens.admin }),
  retryOwnerInvitation: async ({ app, post, tokens }) => {
    const { id } = await post('/accounts', { owner: { email: anEmail('owner') } }, tokens.admin)
    app.clock.advance(A_MINUTE)
    return { instead: { [ids.account]: id } }
  },
  renewApiKey: elsewhere,
  changeAutoPayoutSettings: async (story) => {
    const other = await elsewhere(story)
    const profile = JSON.parse(story.instead[JSON.stringify(wiseProfileId)]!)
    const body = { wiseToken: story.wiseToken, wiseProfileId: profile }
    await sent(story.app, 'PUT', `/accounts/${other.account.id}/auto-payout-settings`, other.account.token, body)
    return other
  },
  savePayPalMethod: async (story) => {
    const { clientId, clientSecret } = payouts.savePayPalMethod.body
    const { paypalApp } = story
    return elsewhere(story, { [clientId!]: paypalApp.clientId, [clientSecret!]: paypalApp.clientSecret })
  },
  removePayPalMethod: async (story) => {
    const prepared = await elsewhere(story)
    const { id, token } = prepared.account
    const body = { ...story.paypalApp, automatic: false }
    await sent(story.app, 'PUT', `/accounts/${id}/payout-methods/paypal`, token, body)
    return prepared
  },
  saveSepaMethod: inEuros,
  removeSepaMethod: async (story) => {
    const { account, ...prepared } = await inEuros(story)
    const body = payouts.saveSepaMethod.body
    await sent(story.app, 'PUT', `/accounts/${account.id}/payout-methods/sepa`, account.token, body)
    return prepared
  },
  listWiseProfiles: async ({ wiseToken }) => ({ token: wiseToken }),

  createPartner: elsewhere,
  upsertPartner: elsewhere,
  createSubPartner: async (story) => {
    const other = await elsewhere(story)
    const { id } = await aPartner(story.app, other.account)
    return { token: other.token, instead: { [ids.partner]: id } }
  },
  assignPromotionCode: async (story) => {
    const other = await elsewhere(story)
    const { id } = await aPartner(story.app, other.account)
    return { token: other.token, instead: { ...other.instead, [ids.partner]: id } }
  },
  requestPromotionCode: asking,
  retryPromotionCode: async (story) => {
    const { account, stripe } = story
    const rule = await aCodeRule(story, 'asking')
    const code = rule.pattern.replace('{name}', 'ASKER')
    const partner = await aPartner(story.app, account, { firstName: 'Asker' }, { signIn: true })
    for (let turn = 0; turn < 5; turn++) stripePromotionCode(stripe.store, turn === 0 ? code : `${code}${turn + 1}`)
    await sent(story.app, 'POST', `/partners/${partner.id}/promotion-code-offer`, partner.token)
    const { id } = await story.app.services.db.one<{ id: string }>`
      select id from made_codes where partner_id = ${partner.id}`
    await waitUntil(async () => {
      await workOnCode(story.app.services, { accountId: account.id, codeId: id })
      const { state } = await story.app.services.db.one<{
        state: string
      }>`select state from made_codes where id = ${id}`
      return state === 'failed'
    })
    return { instead: { [ids.partner]: partner.id, [ids.promotionCode]: id } }
  },
  saveCodeRule: async (story) => {
    const { couponId } = await aCodeRule(story, null)
    return { instead: { 'partners-10': couponId } }
  },
  openPortal: async ({ post, tokens, instead }) => {
    const { url } = await post(`/partners/${instead[ids.partner]}/portal-sessions`, { kind: 'link' }, tokens.partners)
    return { instead: { [portalExamples.openPortal.body.token]: tokenInLink(url) } }
  },
  deletePartner: anotherPartner,
  archivePartner: anotherPartner,
  erasePartner: async (story) => {
    const { id } = await aPartner(story.app, story.account)
    expectOk(await story.app.api('POST', `/partners/${id}/archive`, { token: story.account.token, body: {} }))
    return { instead: { [ids.partner]: id } }
  },
  revokeInvitation: anotherPartner,
  retryInvitation: async (story) => {
    const prepared = await anotherPartner(story)
    story.app.clock.advance(A_MINUTE)
    return prepared
  },
  savePayoutSettings: async ({ app, account }) => {
    const { id, token } = await aPartner(app, account, {}, { signIn: true })
    return { token, instead: { [ids.partner]: id } }
  },
  remindPartner: async ({ app, account }) => {
    const { id } = await aPartner(app, account, {}, { signIn: true })
    return { instead: { [ids.partner]: id } }
  },
  deletePayoutSettings: async ({ app, account }) => {
    const { id, token } = await aPayee(app, account)
    return { token, instead: { [ids.partner]: id } }
  },

  createGroup: elsewhere,
  deleteGroup: async ({ account, post }) => {
    const { id } = await post(`/accounts/${account.id}/groups`, { name: 'Other' })
    return { instead: { [ids.group]: id } }
  },
  deleteGoal: async ({ instead, post }) => {
    const { id } = await post(`/groups/${instead[ids.group]}/goals`, groups.createGoal.body)
    return { instead: { [ids.goal]: id } }
  },
  deletePartnerLink: async ({ instead, post }) => {
    const { destinationUrl } = blueprint
    const { id } = await post(`/partners/${instead[ids.partner]}/links`, { name: 'Other', destinationUrl })
    return { instead: { [ids.ownLink]: id } }
  },
  createPartnerLink: async ({ account, instead, post }) => {
    const body = { name: 'Pricing page', destinationUrl: instead[blueprint.destinationUrl] }
    await post(`/accounts/${account.id}/link-blueprints`, body)
    return {}
  },
  deleteLinkBlueprint: async ({ account, post }) => {
    const body = { name: 'Other', destinationUrl: 'https://other.example/' }
    const { id } = await post(`/accounts/${account.id}/link-blueprints`, body)
    return { instead: { [ids.blueprint]: id } }
  },

  createLead: async (story) => {
    const other = await elsewhere(story)
    const { id } = await aPartner(story.app, other.account)
    return { ...other, instead: { ...other.instead, [ids.partner]: id } }
  },
  deleteLead: async (story) => ({ instead: { [ids.lead]: (await aLead(story)).id } }),
  changeLeadStatus: async (story) => ({ instead: { [ids.lead]: (await aLead(story)).id } }),
  eraseLead: async (story) => ({ instead: { [ids.lead]: (await aLead(story)).id } }),
  reassignLead: async (story) => ({ instead: { [ids.lead]: (await aLead(story)).id } }),
  pushLeads: elsewhereByKey,

  attributeSale: async (story) => ({ instead: { [ids.pendingSale]: (await aSale(story, {}, 'nobody')).id } }),
  refundSale: async (story) => ({ instead: { [ids.sale]: (await aSale(story)).id } }),
  releaseCase: async ({ app, account }) => ({ instead: { [ids.case]: (await aCase(app, account)).id } }),
  voidCase: async ({ app, account }) => ({ instead: { [ids.case]: (await aCase(app, account)).id } }),
  suspendPartnerForCase: async ({ app, account }) => ({ instead: { [ids.case]: (await aCase(app, account)).id } }),
  askPartnerAboutCase: async ({ app, account }) => ({ instead: { [ids.case]: (await aCase(app, account)).id } }),
  answerQuestion: aQuestion,
  listQuestions: aQuestion,
  voidSale: async (story) => ({ instead: { [ids.sale]: (await aSale(story)).id } }),
  restoreSale: async (story) => {
    const { id } = await aSale(story)
    await story.post(`/sales/${id}/void`, sales.voidSale.body)
    return { instead: { [ids.sale]: id } }
  },
  releaseSale: async ({ app, account }) => ({ instead: { [ids.sale]: (await aCase(app, account)).saleId } }),
  pushSales: async (story) => {
    const other = await elsewhereByKey(story)
    await story.post('/push/leads', leads.pushLeads.body, other.token)
    return other
  },

  retryParked: aParkedEvent,
  retryAllParked: aParkedEvent,

  startPayoutReconciliation: aPausedAccount,
  confirmPayoutReconciliation: aPausedAccount,
  createPaymentFile: anotherPayout,
  approvePayout: anotherPayout,
  approvePayouts: anotherPayout,
  cancelPayout: anotherPayout,
  markPayoutPaid: anotherPayout,
  markPayoutsPaid: anotherPayout,
  // a payout above Wise's balance waits for funds
  retryPayout: async ({ app, account, tokens }) => {
    const { id } = await aPayout(app, account, await aPayee(app, account), 200_000_00)
    await sent(app, 'POST', `/payouts/${id}/approve`, tokens.owner)
    await waitUntil(async () => (await sent(app, 'GET', `/payouts/${id}`, tokens.owner)).status === 'awaiting-funding')
    return { instead: { [ids.payout]: id } }
  },

  connectProvider: elsewhere,
  disconnectProvider: async (story) => {
    const other = await elsewhere(story)
    const path = `/accounts/${other.account.id}/payment-providers/connect`
    const key = story.instead[restrictedKey]
    const { id } = await story.post(path, { provider: 'stripe', credentials: { restrictedKey: key } }, other.token)
    return { ...other, instead: { ...other.instead, [ids.connection]: id } }
  },
  retryProviderEvent: async (story) => {
    const { app, stripe } = story
    const other = await elsewhere(story)
    const connection = await aConnection(app, other.account, stripe)
    stripe.forbid('checkout/sessions')
    const { chargeSucceeded } = stripePayment({ amount: 100, store: stripe.store })
    await deliverStripeEvent(connection.webhookUrl, chargeSucceeded!, SIGNING_SECRET, {
      at: toSeconds(app.clock.now()),
    })
    const path = `/accounts/${other.account.id}/payment-providers/${connection.id}/events?state=waiting`
    const [event] = await waitUntil(async () => {
      const { items } = await sent(app, 'GET', path, other.account.token)
      return items.length > 0 && items
    })
    stripe.allow('checkout/sessions')
    return {
      ...other,
      instead: { ...other.instead, [ids.connection]: connection.id, [ids.providerEvent]: event.id },
    }
  },

  createOutgoingWebhook: elsewhere,
  deleteOutgoingWebhook: async ({ account, post }) => {
    const body = { name: 'Other', url: 'https://other.example/', events: ['*'], enabled: false }
    const { id } = await post(`/accounts/${account.id}/outgoing-webhooks`, body)
    return { instead: { [ids.outgoingWebhook]: id } }
  },

  deleteIncomingWebhook: async ({ account, post }) => {
    const { id } = await post(`/accounts/${account.id}/incoming-webhooks`, { name: 'Other', target: 'lead' })
    return { instead: { [ids.incomingWebhook]: id } }
  },
  getIncomingDelivery: aFailedDelivery,
  replayDelivery: aFailedDelivery,
  confirmSamePerson: aDeliveryOfAnother,
  replayFailedDeliveries: aFailedDelivery,
}

/**
 * Addresses that accept only requests signed by another company or callers with a token, and the refusal of an example
 * without.
 */
export const signedByOthers: Record<string, RefusalReason> = {
  sendProviderEvent: 'event_signature_wrong',
  sendPlatformEvent: 'event_signature_wrong',
  sendWiseEvent: 'wise_signature_wrong',
  callMcp: 'user_token_not_valid',
}
