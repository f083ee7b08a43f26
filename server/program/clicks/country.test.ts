import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { aBlueprint, clickInAddress, visitLink } from '../../../test/support/links.ts'
import { createCountryReader } from './country.ts'

const HEADER = 'cf-ipcountry'
const reading = (trustProxy: string[], remoteAddress: string, header: string | string[] | undefined) =>
  createCountryReader({ countryHeader: HEADER, trustProxy })({
    headers: { [HEADER]: header },
    socket: { remoteAddress },
  } as never)

test('a country is accepted only from a trusted proxy, and only as two letters', () => {
  for (const [trusted, peer] of [
    [['127.0.0.1'], '127.0.0.1'],
    [['127.0.0.1'], '::ffff:127.0.0.1'],
    [['192.168.1.9', '10.0.0.0/8'], '10.20.30.40'],
    [['::1'], '::1'],
    [['fd00::/8'], 'fd12::7'],
  ] as const)
    assert.equal(reading([...trusted], peer, 'de'), 'DE', peer)
  for (const [trusted, peer] of [
    [['127.0.0.1'], '127.0.0.2'],
    [['10.0.0.0/8'], '11.0.0.1'],
    [['10.0.0.0/8'], 'fd12::7'],
    [['fd00::/8'], '10.0.0.1'],
    [['10.0.0.0/8'], ''],
  ] as const)
    assert.equal(reading([...trusted], peer, 'DE'), null, peer)
  for (const header of [undefined, '', 'XX', 'T1', 'DEU', 'D', 'DE, FR', '<b', 'ДЕ', ['DE', 'FR']])
    assert.equal(reading(['127.0.0.1'], '127.0.0.1', header), null, String(header))
  assert.equal(
    createCountryReader({ countryHeader: null, trustProxy: ['127.0.0.1'] })({
      headers: { [HEADER]: 'DE' },
      socket: { remoteAddress: '127.0.0.1' },
    } as never),
    null,
  )
})

test('the click stores the country, which the owner sees with the lead and in its timeline', async () => {
  const app = await startApp({ config: { countryHeader: HEADER, trustProxy: ['127.0.0.1'] } })
  const account = await anAccount(app)
  const partner = await aPartner(app, account, { referralCode: 'jane' }, { signIn: true })
  const blueprint = await aBlueprint(app, account)
  const clickId = clickInAddress(await visitLink(app, blueprint.key, 'jane', { headers: { 'CF-IPCountry': 'DE' } }))
  const countryOf = async (id: string | null) =>
    (await app.services.db.one<{ country: string | null }>`select country from clicks where id = ${id}`).country
  assert.equal(await countryOf(clickId), 'DE')
  assert.equal(await countryOf(clickInAddress(await visitLink(app, blueprint.key, 'jane'))), null)

  const { apiKey } = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token })).body
  const lead = expectOk(
    await app.api('POST', '/push/leads', { token: apiKey, body: { email: anEmail(), clickId } }),
  ).body
  const clicked = async (token: string) =>
    expectOk(await app.api('GET', `/leads/${lead.id}/events`, { token })).body.items.find(
      ({ type }: { type: string }) => type === 'click',
    ).text
  assert.equal(await clicked(account.token), `Clicked a link from Germany: ${blueprint.name}`)
  assert.equal(await clicked(partner.token), `Clicked a link: ${blueprint.name}`)

  const shown = async (token: string) => expectOk(await app.api('GET', `/leads/${lead.id}`, { token })).body.country
  assert.deepEqual([await shown(account.token), await shown(partner.token)], ['DE', null])

  const { publicId } = expectOk(await app.api('GET', `/accounts/${account.id}`, { token: account.token })).body
  const keys = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
  const config = Object.fromEntries(keys.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))
  expectOk(await app.api('PUT', `/accounts/${account.id}/embed-code`, { token: account.token, body: { config } }))
  const reported = await app.api('POST', `/embed/${publicId}/clicks`, {
    body: { referralCode: 'jane' },
    headers: { 'cf-ipcountry': 'fr', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
  })
  assert.equal(await countryOf(reported.body.clickId), 'FR')
})
