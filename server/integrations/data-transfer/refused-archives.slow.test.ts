import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp, type TestAccount, type TestApp } from '../../../test/support/app.ts'
import { anArchivePath, aZip, exportArchive, readContents, updateDigests } from '../../../test/support/archives.ts'
import { aBlueprint } from '../../../test/support/links.ts'
import { requestRefresh } from '../../../test/support/payouts.ts'
import { NIL, newId } from '../../platform/database/ids.ts'
import { importAccount } from './import-account.ts'

/** An account with a row of everything that other rows can refer to. */
async function aWorld(app: TestApp) {
  const account = await anAccount(app, { payoutDelay: 0, defaultCommissionSettings: { layerRates: [20] } })
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
  const partner = await aPartner(app, account)
  const child = await aPartner(app, account, { parentPartnerId: partner.id })
  const blueprint = await aBlueprint(app, account)
  const lead = await call('POST', `/accounts/${account.id}/leads`, { partnerId: partner.id, email: 'a@shop.example' })
  const sale = await call('POST', `/leads/${lead.id}/sales`, { amount: 100_00, description: 'Team plan' })
  const webhook = await call('POST', `/accounts/${account.id}/outgoing-webhooks`, {
    name: 'CRM',
    url: 'https://crm.example/hook',
    events: ['*'],
  })
  const approvedPayoutYears = [app.clock.now().getUTCFullYear()]
  await call('PUT', `/partners/${partner.id}`, { approvedPayoutYears })
  await requestRefresh(app, account)
  const { items } = await call('GET', `/accounts/${account.id}/payouts`)
  await call('POST', `/payouts/${items[0].id}/mark-paid`, { reference: 'bank' })
  return { account, partner, child, blueprint, lead, sale, webhook, payout: items[0] }
}

const [source, target] = await Promise.all([startApp(), startApp()])
const [ours, theirs] = await Promise.all([aWorld(source), aWorld(target)])
const { path } = await exportArchive(source.services.db, ours.account.id)
const bytes = await readFile(path)
const { db } = target.services

/** Returns all rows that an import could have left behind. */
const standing = () => db.one`
  select (select count(*) from accounts) as accounts, (select count(*) from users) as users,
    (select count(*) from events) + (select count(*) from passing_events) as events,
    (select count(*) from account_exchange_rates) as rates, (select sum(revenue) from total_stats) as revenue`

async function refused(path: string, words: RegExp, options: { mostBytes?: number } = {}) {
  const before = await standing()
  await assert.rejects(importAccount(db, target.services, path, options), (error: Error) => {
    assert.equal(error.name, 'ImportRefusal', String(error.stack))
    assert.match(error.message, words)
    return true
  })
  assert.deepEqual(await standing(), before)
}

const written = async (content: Buffer | string) => {
  const path = await anArchivePath()
  await writeFile(path, content)
  return path
}

type Files = Map<string, string>
const texts = async (): Promise<Files> =>
  new Map([...(await readContents(path))].map(([name, all]) => [name, String(all)]))

/** Returns the export with changes and matching digests. */
async function forged(change: (files: Files) => void) {
  const files = await texts()
  change(files)
  return aZip(updateDigests(files))
}

function replace(files: Files, name: string, from: string | RegExp, to: string) {
  const before = files.get(name)!
  const after = before.replace(from, to)
  assert.notEqual(after, before, `${name} has no ${from}`)
  files.set(name, after)
}

/** Matches a cell; one that starts with a sign carries the mark that keeps a spreadsheet from calculating it. */
const cell = (value: string) => new RegExp(`"'?${value}"`)

test('a file that is not one of our zips is refused', async () => {
  const notOurs = /isn’t an account that Tributary exported/
  await refused(await written(''), notOurs)
  await refused(await written('id,name\n1,x\n'), notOurs)
  await refused(await written(Buffer.from('504b0506', 'hex')), notOurs)
  await refused(await written(bytes.subarray(0, bytes.length / 2)), notOurs)
  await refused(await written(bytes.subarray(0, bytes.length - 1)), notOurs)
  await refused(await aZip([['letter.txt', 'Dear customer']]), notOurs)
  await refused(await aZip([['manifest.json', 'null']]), notOurs)
  await refused(await aZip([['manifest.json', '{"kind":"tributary-account"']]), notOurs)
  await refused(await aZip([['manifest.json', JSON.stringify({ kind: 'other', format: 1 })]]), notOurs)
  await refused(await aZip([['manifest.json', randomBytes(1_000_000).toString('hex')]]), notOurs)
  await assert.rejects(importAccount(db, target.services, '/nowhere/account.zip'), { code: 'ENOENT' })
})

test('names that leave the zip, repeat or are unknown are refused', async () => {
  const files = await texts()
  const climbing = Buffer.from(String(bytes.toString('latin1')).replaceAll('partners.csv', '../tners.csv'), 'latin1')
  await refused(await written(climbing), /isn’t an account that Tributary exported/)
  await refused(await aZip([...files, ['partners.csv', files.get('partners.csv')!]]), /holds partners\.csv twice/)
  await refused(
    await aZip([...files, ['users.csv', '"id"\r\n']]),
    /holds "users\.csv", which this release doesn’t know/,
  )
  files.delete('sales.csv')
  await refused(await aZip(files), /is missing sales\.csv/)
})

test('another format is refused with what to do', async () => {
  const files = updateDigests(await texts(), (manifest) => {
    manifest.format = 2
  })
  await refused(await aZip(files), /format 2, and this release reads 1/)
})

test('content too large when unpacked is refused before unpacking', async () => {
  const bomb = await forged((files) => files.set('sales.csv', `${files.get('sales.csv')}${'\0'.repeat(30_000_000)}`))
  await refused(bomb, /sales\.csv would be too large unpacked/)
  await refused(path, /would be too large unpacked/, { mostBytes: 10_000 })
  // the directory declares fewer bytes than are unpacked
  const lying = Buffer.from(bytes)
  const at = lying.lastIndexOf(Buffer.from('referral_codes.csv')) - 46
  assert.equal(lying.readUInt32LE(at), 0x02014b50)
  lying.writeUInt32LE(10, at + 24)
  await refused(await written(lying), /referral_codes\.csv can’t be unpacked/)
})

test('a byte changed in transit is detected', async () => {
  const files = await texts()
  replace(files, 'sales.csv', 'Team plan', 'Team plum')
  await refused(await aZip(files), /sales\.csv isn’t what was exported/)
  const counted = updateDigests(await texts(), (manifest) => {
    manifest.files['leads.csv']!.rows = 7
  })
  await refused(await aZip(counted), /leads\.csv has 1 rows, and the manifest says 7/)
  const damaged = Buffer.from(bytes)
  for (let at = 300; at < 340; at++) damaged[at] = 255 - damaged[at]!
  await refused(await written(damaged), /can’t be unpacked|isn’t a|isn’t what was exported/)
})

test('a file that another program saved is refused', async () => {
  const saved = /sales\.csv isn’t a file as an export writes it/
  const cases: [from: string | RegExp, to: string][] = [
    ['\ufeff', ''],
    [/"/g, ''],
    [/\r\n/g, '\n'],
    [/\r\n$/, ''],
    [/"Team plan"/, '"Team plan'],
    [/"Team plan"/, '"Team "plan"'],
    [/"Team plan"/, 'Team plan'],
  ]
  for (const [from, to] of cases) await refused(await forged((files) => replace(files, 'sales.csv', from, to)), saved)
  const files = new Map<string, Buffer | string>(updateDigests(await texts()))
  files.set('sales.csv', Buffer.concat([Buffer.from(files.get('sales.csv')!), Buffer.from([0xff])]))
  await refused(await aZip(files), saved)
})

test('missing, unknown or reordered columns are refused', async () => {
  const header = (from: RegExp, to: string) => forged((files) => replace(files, 'payouts.csv', from, to))
  await refused(await header(/"currency"/, '"money"'), /payouts\.csv comes without currency and with money/)
  await refused(await header(/"amount","currency"/, '"currency","amount"'), /stand in another order/)
  await refused(await header(/,"updated_at"/, ''), /without updated_at/)
  await refused(await header(/\r\n$/, ',"more"\r\n'), /Row 1 of payouts\.csv has too few or too many values/)
})

test('values of a wrong type or beyond any valid row are refused', async () => {
  const cases: [file: string, from: string | RegExp, to: string][] = [
    ['sales.csv', '"10000"', '"ten"'],
    ['sales.csv', '"10000"', '"1e400"'],
    ['sales.csv', '"Team plan"', '"Team \0plan"'],
    ['accounts.csv', '"Northwind"', '"North"'.replace('"North"', '"North\0wind"')],
    ['accounts.csv', '"{200000}"', '"{9000000}"'],
    ['accounts.csv', '"{200000}"', '"{-1}"'],
    ['accounts.csv', '"{200000}"', '"{600000,600000}"'],
    ['accounts.csv', '"UTC"', '"Mars/Olympus"'],
    ['accounts.csv', '"UTC"', '"ECT"'],
    ['accounts.csv', '"usd"', '"us dollars"'],
    ['partners.csv', /@mail\.example"/, '@mail.example, everyone@mail.example"'],
    ['leads.csv', '"{}"', '"{"'],
    ['leads.csv', '"won"', '"lottery"'],
    ['partners.csv', '"{}"', '"{x}"'],
    ['payouts.csv', '"paid"', '"printed"'],
  ]
  for (const [name, from, to] of cases)
    await refused(
      await forged((files) => replace(files, name, from, to)),
      new RegExp(`${name.replace('.', '\\.')}.*stored`),
    )
})

test('no row becomes or references part of an existing account', async () => {
  const foreign: [file: string, from: string | RegExp, to: string, words: RegExp][] = [
    ['payout_entries.csv', new RegExp(ours.payout.id, 'g'), theirs.payout.id, /names something that isn’t in the zip/],
    ['sales.csv', ours.lead.id, theirs.lead.id, /names something that isn’t in the zip/],
    ['leads.csv', ours.partner.id, theirs.partner.id, /names something that isn’t in the zip/],
    ['day_stats.csv', new RegExp(ours.partner.id, 'g'), theirs.partner.id, /names another account’s partners/],
    [
      'total_stats.csv',
      `"${NIL}","${NIL}"`,
      `"${NIL}","${theirs.blueprint.id}"`,
      /names another account’s link blueprints/,
    ],
    ['lead_stats.csv', ours.lead.id, theirs.lead.id, /names something that isn’t in the zip/],
    [
      'events.csv',
      new RegExp(`"lead","${ours.lead.id}"`),
      `"lead","${theirs.lead.id}"`,
      /names another account’s leads/,
    ],
    [
      'partners.csv',
      new RegExp(`"${ours.child.id}","${ours.partner.id}"`),
      `"${ours.child.id}","${theirs.partner.id}"`,
      /names another one that isn’t in the file/,
    ],
    ['payouts.csv', ours.payout.id, theirs.payout.id, /names something that isn’t in the zip/],
    ['outgoing_webhooks.csv', ours.webhook.id, theirs.webhook.id, /already on this server/],
    ['accounts.csv', ours.account.id, theirs.account.id, /already on this server/],
    ['accounts.csv', ours.account.id, newId(), /names something that isn’t in the zip|belongs to another account/],
  ]
  for (const [name, from, to, words] of foreign)
    await refused(await forged((files) => replace(files, name, from, to)), words)
})

test('an ID that belongs to another account’s row is refused even without a key that prevents it', async () => {
  const eventOf = (database: typeof db, accountId: string) => database.one<{ id: string }>`
    select id from events where account_id = ${accountId} and kind <> 'internal' order by id limit 1`
  const own = await eventOf(source.services.db, ours.account.id)
  const taken = await eventOf(db, theirs.account.id)
  const path = await forged((files) => replace(files, 'events.csv', own.id, taken.id))
  await refused(path, new RegExp(`events\\.csv holds something that is already on this server: id ${taken.id}`))
})

test('a link or public ID already in use is refused by name', async () => {
  const { key, publicId } = await db.one<{ key: string; publicId: string }>`
    select b.key, a.public_id from link_blueprints b join accounts a on a.id = b.account_id where b.id = ${theirs.blueprint.id}`
  const own = await source.services.db.one<{ key: string; publicId: string }>`
    select b.key, a.public_id from link_blueprints b join accounts a on a.id = b.account_id where b.id = ${ours.blueprint.id}`
  const linked = await forged((files) => replace(files, 'link_blueprints.csv', cell(own.key), `"${key}"`))
  await refused(linked, new RegExp(`link_blueprints\\.csv holds something that is already on this server.*${key}`))
  const named = await forged((files) => replace(files, 'accounts.csv', cell(own.publicId), `"${publicId}"`))
  await refused(named, new RegExp(`already on this server.*${publicId}`))
})

test('an inconsistent ledger is refused, even with a valid signature', async () => {
  const more = await forged((files) => replace(files, 'commission_entries.csv', /"2000"/g, '"9000"'))
  await refused(more, /sum to|don’t agree|less its share/)
  const earned = await forged((files) => replace(files, 'total_stats.csv', /"10000"/g, '"90000"'))
  await refused(earned, /The books in the zip don’t agree with themselves:\n.*totals are the sum of the days/)
  const unsigned = updateDigests(await texts(), (manifest) => {
    manifest.ledgerDigest = '0'.repeat(64)
  })
  await refused(await aZip(unsigned), /isn’t the one that its manifest is about/)
})

test('an invalid owner address is refused; an existing user gets an invitation, not a role', async () => {
  const wrong = updateDigests(await texts(), (manifest) => {
    manifest.owner!.email = 'Not an address'
  })
  await refused(await aZip(wrong), /isn’t an account that Tributary exported/)

  const taken = updateDigests(await texts(), (manifest) => {
    manifest.owner!.email = theirs.account.ownerEmail
  })
  await importAccount(db, target.services, await aZip(taken))
  const call = (who: TestAccount) => target.api('GET', `/accounts/${ours.account.id}`, { token: who.token })
  assert.equal((await call(theirs.account)).status, 404)
  const { body } = expectOk(await target.api('GET', `/accounts/${ours.account.id}`, { token: theirs.account.admin }))
  assert.equal(body.owner.email, theirs.account.ownerEmail)
  assert.equal(body.ownerInvitation.status, 'pending')
  await refused(path, /already on this server/)
})
