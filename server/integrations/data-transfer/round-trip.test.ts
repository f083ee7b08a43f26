import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptInvitation, expectOk, getAdministratorToken, startApp } from '../../../test/support/app.ts'
import { exportArchive, readContents } from '../../../test/support/archives.ts'
import { bankDetails, requestRefresh } from '../../../test/support/payouts.ts'
import { aStrangeAccount, listReads } from '../../../test/support/strange-account.ts'
import { fieldsOfInstall } from '../../../test/support/sweep.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { importAccount } from './import-account.ts'

const world = await aStrangeAccount()
const { app, account } = world
const taken = await exportArchive(app.services.db, account.id)
const there = await startApp({ clock: world.clock, config: { allowPrivateWebhookTargets: true } })
await importAccount(there.services.db, there.services, taken.path, { invitePartners: true })

/** The owner, in the new install, once they have accepted. */
async function ownerThere() {
  const admin = await getAdministratorToken(there)
  const { body } = expectOk(await there.api('GET', `/accounts/${account.id}`, { token: admin }))
  return (await acceptInvitation(there, body.ownerInvitation.url)).token
}
const token = await ownerThere()

// biome-ignore lint/suspicious/noExplicitAny: whatever was answered
type Answered = any

/** Returns the answer without these fields, at any depth. */
const without = (body: Answered, ...fields: string[]): Answered =>
  JSON.parse(JSON.stringify(body, (key, value) => (fields.includes(key) ? undefined : value)))

const noInvitation = (body: Answered) => without(body, 'invitationStatus', 'state')
const noDetails = (body: Answered) =>
  JSON.parse(JSON.stringify(body), (key, value) =>
    key === 'blockers' ? value.filter(({ code }: { code: string }) => code !== 'no-deposit-info') : value,
  )
const noDoor = (body: Answered) => without(body, 'enabled', 'headers', 'url', 'state', 'counts')
const noSaver = (body: Answered) => without(body, 'savedBy')
const noDecider = (body: Answered) => without(body, 'decidedBy')
const noApprover = (body: Answered) => noDetails(without(body, 'approvedBy'))

/** Expected differences of answers, by call; the rest is compared strictly. */
const OTHERWISE: Record<string, (body: Answered) => Answered> = {
  ...Object.fromEntries(
    Object.entries(fieldsOfInstall).map(([name, fields]) => [name, (body: Answered) => without(body, ...fields)]),
  ),
  // no key, and a login of that install
  // a domain leads to one install
  getAccount: (body) => without(body, 'apiKey', 'host', 'createdAt', 'updatedAt'),
  getAccountOwner: (body) => without(body, 'createdAt', 'updatedAt'),
  getInvitation: (body) => without(body, 'acceptedAt', 'expiresAt', 'status', 'url'),
  getPartner: noInvitation,
  listPartners: noInvitation,
  listSubPartners: noInvitation,
  // the invitation is created again, without an inviter of this install
  exportPartnerData: (body) => without(body, 'invitations', 'payoutSettings', 'state', 'userId', 'approvedBy'),
  // connections are not exported
  getPayoutMethods: () => null,
  // bank details are not exported
  getPayoutSettings: () => null,
  // nor what pays to them
  getPartnerForecast: (body) => without(body, 'howPaid'),
  getPayoutForecast: (body) => without(body, 'howPaid'),
  getPayoutForm: () => null,
  // a year without a template is refused
  downloadNecFile: ({ error }) => error,
  getBalance: noDetails,
  listBalances: noDetails,
  // the approver is a user of the old install, and an approved payout may wait for details
  getPayout: noApprover,
  // links to receipts contain the address of their own install
  getPayoutStatement: (body: string) => body.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, ''),
  listPartnerPayouts: noApprover,
  listPayouts: noApprover,
  // an administrator of the old install created the account
  getAccountTerms: noSaver,
  listAccountTerms: noSaver,
  // the person who decided has no login there
  getApplication: noDecider,
  listApplications: noDecider,
  getProgram: (body) => without(body, 'url'),
  // nor the person who published, or accepted
  getAgreement: (body) => without(body, 'publishedBy'),
  getAgreementVersion: (body) => without(body, 'publishedBy'),
  listAgreementVersions: (body) => without(body, 'publishedBy'),
  listAcceptances: (body) => without(body, 'userId'),
  // the team is not exported, so people are invited again
  listMembers: () => null,
  listPartnerMembers: () => null,
  // keys are not exported, so access is closed
  getOutgoingWebhook: noDoor,
  listOutgoingWebhooks: noDoor,
  listOutgoingDeliveries: (body) => without(body, 'state', 'nextAttemptAt'),
  getIncomingWebhook: noDoor,
  listIncomingWebhooks: noDoor,
  getIncomingDelivery: (body) => without(body, 'state', 'reason'),
  listIncomingDeliveries: (body) => without(body, 'state', 'reason'),
  // a published rate unknown to this install became the account's own
  listExchangeRates: ({ items }) => items.filter(({ currency }: { currency: string }) => currency !== 'sek'),
  // addresses of the install
  getBrand: (body) => without(body, 'portalUrl', 'logoUrl', 'coverUrl', 'host'),
  getEmbedCode: (body) => without(body, 'snippet'),
  listBlueprintLinks: (body) => without(body, 'shortUrl', 'url'),
  listPartnerLinks: (body) => without(body, 'shortUrl', 'url'),
  // later events are not included, and only the owner is known as a user there
  listAudit: ({ items }) =>
    items
      .filter(({ at }: { at: string }) => at < taken.manifest.exportedAt)
      .map(({ actor, subject, ...row }: Answered) => ({
        ...row,
        actor: actor.name === 'Nora Wind' ? actor : actor.id,
        subject: subject.type === 'user' ? subject.id : subject,
      })),
}

test('every call that an owner can read returns the same', async () => {
  for (const { name, at } of await listReads(world)) {
    const [here, other] = await Promise.all([
      app.api('GET', at, { token: account.token }),
      there.api('GET', at, { token }),
    ])
    const compared = OTHERWISE[name] ?? ((body: Answered) => body)
    assert.deepEqual([other.status, compared(other.body)], [here.status, compared(here.body)], name)
  }
})

test('the zip contains no bank details, keys, secrets or logins', async () => {
  const files = await readContents(taken.path)
  const all = [...files.values()].map(String).join('\n')
  const { accountNumber, routingNumber } = bankDetails()
  const token = new URL(world.incoming.url).pathname.split('/').at(-1)!
  for (const secret of ['canary-header', 'canary-password', world.apiKey, accountNumber, routingNumber, token])
    assert.ok(!all.includes(secret), secret)
  assert.ok(!/argon2|"password|_sealed|whsec_/.test(all))
  assert.deepEqual([...files.keys()].at(-1), 'manifest.json')
})

test('no cell is a formula, and every text is distinguished from null', async () => {
  const files = await readContents(taken.path)
  const leads = String(files.get('leads.csv'))
  assert.ok(leads.startsWith('\ufeff"id","partner_id",'))
  assert.ok(String(files.get('partners.csv')).includes(`"'=HYPERLINK(""x"";""y"")","'quoted"`))
  assert.ok(/,"new",,,,/.test(leads), 'null is nothing at all')
  for (const [name, content] of files) {
    const formula = /(^|,)"[\s]*[=+@]|(^|,)"-(?!\d)/m.exec(String(content))
    if (name.endsWith('.csv')) assert.equal(formula?.[0], undefined, name)
  }
})

test('an owner who is not yet a user keeps their ID, so that their name appears on their past actions', async () => {
  const { body } = expectOk(await there.api('GET', `/accounts/${account.id}/audit?limit=100`, { token }))
  const acts = body.items.filter(({ action }: { action: string }) => action === 'partner.adjusted')
  assert.deepEqual(
    acts.map(({ actor }: Answered) => actor.name),
    ['Nora Wind', 'Nora Wind'],
  )
})

test('the old install’s endpoints stay closed in the new one until their secrets are entered again', async () => {
  const { id } = world.incoming
  const { body } = expectOk(await there.api('GET', `/incoming-webhooks/${id}`, { token }))
  assert.notEqual(body.url, world.incoming.url)
  const put = (change: object) => there.api('PUT', `/incoming-webhooks/${id}`, { token, body: change })
  expectOk(await put({ enabled: true }))
  for (const password of ['undefined', '', 'canary-password'])
    assert.equal((await fetch(body.url, { ...world.sent, headers: world.basic(password) })).status, 401, password)
  assert.equal((await put({ auth: { type: 'basic', username: 'form' } })).status, 422)
  expectOk(await put({ auth: { type: 'basic', username: 'form', password: 'new-password' } }))
  assert.equal((await fetch(body.url, { ...world.sent, headers: world.basic('new-password') })).status, 200)

  const rotated = expectOk(await there.api('POST', `/outgoing-webhooks/${world.webhook.id}/secret`, { token }))
  assert.match(rotated.body.secret, /^whsec_/)
})

test('only partners who were invited before are invited', async () => {
  const { body } = expectOk(await there.api('GET', `/accounts/${account.id}/partners?limit=100`, { token }))
  const invited = body.items.filter(({ invitationStatus }: Answered) => invitationStatus === 'pending')
  assert.equal(invited.length, 5)
})

test('the ledger is consistent in the new install, and continues from there', async () => {
  const body = { amount: 10_00, description: 'after the move' }
  expectOk(await there.api('POST', `/leads/${world.lead.id}/sales`, { token, body }))
  expectOk(await there.api('POST', `/sales/${world.sale.id}/refunds`, { token, body: { reason: 'the rest' } }))
  await requestRefresh(there, { ...account, token })
  assert.deepEqual(await verifyLedger(there.services.db), [])
})
