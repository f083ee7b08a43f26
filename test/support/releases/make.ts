import { execFileSync } from 'node:child_process'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageJson from '../../../package.json' with { type: 'json' }
import { fakeReceiver } from '../../fakes/receiver.ts'
import { ADMINISTRATOR, acceptInvitation, aPartner, expectOk, signIn, type TestApp, waitUntil } from '../app.ts'
import { aBlueprint, visitLink } from '../links.ts'
import { bankDetails } from '../payouts.ts'
import { type Running, startProduct } from '../running.ts'
import { OWNERS, RELEASE_KEY, releaseArchive } from './releases.ts'

// node test/support/releases/make.ts: an install with a little of everything, backed up as this release.

const file = fileURLToPath(releaseArchive(packageJson.version))
const year = new Date().getUTCFullYear()

/** Two generations of partners, leads with sales and a refund, a paid payout and a due one, and deliveries. */
async function anAccount(running: Running, email: string, receiver: Awaited<ReturnType<typeof fakeReceiver>>) {
  const app = running as unknown as TestApp
  const { token: admin } = await signIn(app, ADMINISTRATOR.email, ADMINISTRATOR.password)
  const name = email.split(/[@.]/)[1]!
  const made = expectOk(await app.api('POST', '/accounts', { token: admin, body: { name, owner: { email } } })).body
  const { token } = await acceptInvitation(app, made.ownerInvitation.url)
  const call = async (method: string, path: string, body?: object, as = token) =>
    expectOk(await app.api(method, path, { token: as, ...(body && { body }) })).body
  const of = `/accounts/${made.id}`
  await call('PATCH', of, { timeZone: 'UTC', payoutDelay: 0, defaultCommissionSettings: { layerRates: [20, 5] } })
  await call('POST', `${of}/outgoing-webhooks`, { name: 'CRM', url: receiver.url, events: ['*'] })
  const account = { id: made.id as string, token }
  const parent = await aPartner(app, account, {}, { signIn: true })
  const partner = await aPartner(app, account, { parentPartnerId: parent.id }, { signIn: true })
  for (const one of [parent, partner]) {
    await call('POST', `/partners/${one.id}/payout-settings`, bankDetails(), one.token)
    await call('PUT', `/partners/${one.id}`, { approvedPayoutYears: [year] })
  }
  const link = await aBlueprint(app, account)
  const { apiKey } = await call('PUT', `${of}/api-key`)
  for (let at = 1; at <= 12; at++) {
    await visitLink(app, link.key, partner.referralCode)
    const sale = { externalId: `order-${at}`, amount: at * 10_00, email: `customer-${at}@mail.example` }
    const { id } = await call('POST', '/push/sales', { ...sale, referralCode: partner.referralCode }, apiKey)
    if (at % 4 === 0) await call('POST', `/sales/${id}/refunds`, { amount: 2_50, reason: 'Fewer seats' })
    if (at !== 6) continue
    await call('POST', `${of}/payouts/refresh`)
    const { items } = await call('GET', `${of}/payouts`)
    await call('POST', `/payouts/${items[0].id}/mark-paid`, { reference: 'bank 17' })
  }
  await call('POST', `${of}/payouts/refresh`)
}

const folder = await mkdtemp(join(tmpdir(), 'tributary-release-'))
const receiver = await fakeReceiver()
const variables = { SECRET_KEY: RELEASE_KEY, ALLOW_PRIVATE_WEBHOOK_TARGETS: '1' }
const running = await startProduct(folder, variables)
try {
  for (const email of OWNERS) await anAccount(running, email, receiver)
  await waitUntil(() => receiver.deliveries.length >= 50)
  // a backup has the list of erasures beside it
  const backup = join(folder, 'backup.zip')
  execFileSync(process.execPath, ['server/tributary.js', 'backup', backup], {
    env: { PATH: process.env.PATH, DATA_DIR: running.dataDir, ...variables },
    stdio: 'inherit',
  })
  await copyFile(backup, file)
} finally {
  await running.product.end('SIGTERM')
  await receiver.close()
  await rm(folder, { recursive: true, force: true })
}
