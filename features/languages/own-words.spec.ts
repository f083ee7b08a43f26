import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectOk } from '#test/support/app.ts'
import { anOwner, aSignedUpPayee, atRest, type Site, signedInPage, startSite } from '#test/support/journey.ts'
import { MARKED, markedCatalogues, unmarkedWords } from '#test/support/marked-language.ts'
import { expect, test } from '#test/support/test.ts'

// A language of an install whose words are all marked: what a partner reads on each screen is marked, or data.

let site: Site
let dataDir: string
test.beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'own-words-'))
  await mkdir(join(dataDir, 'languages'))
  await writeFile(join(dataDir, 'languages', `${MARKED}.json`), JSON.stringify(await markedCatalogues()))
  site = await startSite({ DATA_DIR: dataDir })
})
test.afterAll(async () => {
  await site.end()
  await rm(dataDir, { recursive: true, force: true })
})

/** Data, and formats that are the same in each language. */
const DATA =
  /Harbor Analytics|Whitfield|Jane|Pia Tern|Broad Street|New York|How this works|[\w.+-]+@[\w.-]+|https?:\S+|PO-\d+|USD|EUR|PayPal|Wise|Tributary/g

test('a partner reads the words of the install on each of their screens', async ({ browser, complaints }) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [20, 5] }, defaultCurrency: 'eur' })
  const jane = await aSignedUpPayee(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const post = async (path: string, body: unknown) =>
    expectOk(await site.api('POST', path, { token: owner.token, body })).body
  const lead = await post(`/accounts/${owner.id}/leads`, { email: 'h@cole.example', partnerId: jane.id })
  await post(`/leads/${lead.id}/sales`, { amount: 1234_50 })
  expectOk(await site.api('PATCH', '/users/me', { token: jane.token, body: { preferences: { language: MARKED } } }))

  const before = await (await browser.newContext({ locale: MARKED })).newPage()
  await before.goto(`${site.url}/auth/sign-in`)
  await expect(before.getByRole('heading', { level: 1 })).toContainText('⟦')
  await before.context().close()

  const page = await signedInPage(browser, site, jane, complaints, {
    locale: MARKED,
    viewport: { width: 390, height: 844 },
  })
  const found: string[] = []
  for (const path of ['/dashboard', '/leads/new', '/links', '/partners', '/partner/settings', '/commissions']) {
    await page.goto(site.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await atRest(page, { loading: '⟦Loading...⟧', wait: '⟦Please wait...⟧' })
    const text = (await page.locator('body').innerText()).replace(DATA, ' ')
    found.push(...unmarkedWords(text).map((word) => `${path}: ${word}`))
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (wider > 0) found.push(`${path}: ${wider} px wider than the window`)
  }
  expect(found).toEqual([])
  await page.context().close()
})
