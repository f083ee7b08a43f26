import { expectOk } from '#test/support/app.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  type Person,
  type Site,
  signedInPage,
} from '#test/support/journey.ts'
import { captureShot } from '#test/support/shots.ts'
import { expect, test } from '#test/support/test.ts'

// From a rule in the settings to a case in fraud review, the partner's answer, and the decision.

let site: Site
let owner: Person & { id: string }
let jane: Awaited<ReturnType<typeof aSignedUpPartner>>

test.beforeAll(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [20] }, selfReferralPolicy: 'hold' })
  jane = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
})

const post = async (path: string, body: object) =>
  expectOk(await site.api('POST', path, { token: owner.token, body })).body

test('a rule is turned on, and its case asked about, answered and released', async ({ browser }) => {
  const complaints: string[] = []
  const page = await signedInPage(browser, site, owner, complaints)
  await page.goto(`${site.url}/account/settings?tab=fraud-rules`)
  await page.getByLabel('Throwaway email').selectOption('Hold')
  await page.getByLabel('Banned site').selectOption('Flag')
  await page.getByLabel('Banned Sites').fill('*.coupons.example')
  await captureShot(page, 'fraud-rules')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('status').getByText('Fraud rules saved')).toBeVisible()

  const lead = await post(`/accounts/${owner.id}/leads`, {
    ...{ partnerId: jane.id, firstName: 'Irene', lastName: 'Castell', email: 'irene@mailinator.com' },
  })
  await post(`/leads/${lead.id}/sales`, { amount: 500_00 })
  const own = await post(`/accounts/${owner.id}/leads`, { partnerId: jane.id, email: jane.email })
  await post(`/leads/${own.id}/sales`, { amount: 100_00 })
  await page.goto(`${site.url}/dashboard`)
  await page.getByRole('link', { name: '2 cases of possible fraud' }).click()
  await expect(page.getByRole('tab', { name: 'Fraud review', exact: true })).toHaveAttribute('aria-selected', 'true')
  const row = page.getByRole('row').filter({ hasText: 'Irene Castell' })
  await expect(row).toContainText('The customer’s email is a throwaway address.')
  await expect(row).toContainText('$100.00')
  await expect(page.getByText('2 open · $120.00 on hold')).toBeVisible()
  await captureShot(page, 'evidence-desk')
  await expectAccessibleInBothThemes(page)

  const act = async (what: string) => {
    await row.getByRole('button', { name: /^Actions for / }).click()
    await page.getByRole('menuitem', { name: what, exact: true }).click()
    return page.getByRole('dialog')
  }
  const asking = await act('Ask partner')
  await asking.getByLabel('Question').fill('How did you meet Irene?')
  await asking.getByRole('button', { name: 'Send question' }).click()
  await expect(row).toContainText('You asked: How did you meet Irene?')

  const partners = await signedInPage(browser, site, jane, complaints)
  await partners.goto(`${site.url}/dashboard`)
  await expect(partners.getByText('How did you meet Irene?')).toBeVisible()
  await partners.getByLabel('Answer').fill('At a fair in May.')
  await captureShot(partners, 'partner-question')
  await partners.getByRole('button', { name: 'Send answer' }).click()
  await expect(partners.getByText('How did you meet Irene?')).toBeHidden()

  await page.reload()
  await expect(row).toContainText('Answer: At a fair in May.')
  await row.getByRole('button', { name: 'Release', exact: true }).click()
  const releasing = page.getByRole('dialog')
  await releasing.getByLabel('Reason').fill('Known to us')
  await releasing.getByRole('button', { name: 'Release case' }).click()
  await expect(row).toContainText('Releasing')
  await captureShot(page, 'case-releasing')
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('The case stays open')).toBeVisible()
  await expect(row.getByRole('button', { name: 'Release', exact: true })).toBeVisible()
  await row.getByRole('button', { name: 'Release', exact: true }).click()
  await releasing.getByLabel('Reason').fill('Known to us')
  await releasing.getByRole('button', { name: 'Release case' }).click()
  await expect(row).toContainText('Releasing')
  await page.reload()
  await expect(row).toContainText('Releasing')
  await expect(row).toHaveCount(0)
  await page.goto(`${site.url}/cases?state=decided`)
  await expect(row).toContainText('Known to us')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${site.url}/cases`)
  await expect(page.getByText('The lead’s email is the referring partner’s own.')).toBeVisible()
  await captureShot(page, 'evidence-desk-phone')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('checkbox', { name: 'Select all on page' }).check()
  await page.getByRole('button', { name: 'Release 1 case' }).click()
  const last = page.getByRole('dialog', { name: 'Release case' })
  await expect(last).toContainText('$20.00 in commission is released')
  await last.getByLabel('Reason').fill('Seen')
  await last.getByRole('button', { name: 'Release case' }).click()
  await expect(last).toBeHidden()
  // the page is gone before the release begins, which loses nothing
  await page.close()
  const cases = async () =>
    expectOk(await site.api('GET', `/accounts/${owner.id}/cases`, { token: owner.token })).body.items.length
  expect(await cases()).toBe(1)
  await expect.poll(cases, { timeout: 30_000 }).toBe(0)
  expect(complaints).toEqual([])
})
