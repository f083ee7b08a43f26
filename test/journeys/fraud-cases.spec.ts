import { expectOk } from '../support/app.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  type Person,
  pageHeading,
  type Site,
  signedInPage,
} from '../support/journey.ts'
import { captureShot } from '../support/shots.ts'
import { expect, test } from '../support/test.ts'

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
  await page.goto(`${site.url}/account/settings?tab=attribution`)
  await page.getByLabel('Throwaway email').selectOption('Hold')
  await page.getByLabel('Banned site').selectOption('Flag')
  await page.getByLabel('Banned Sites').fill('*.coupons.example')
  await captureShot(page, 'fraud-rules')
  await page.getByRole('button', { name: 'Save fraud rules' }).click()
  await expect(page.getByRole('status').getByText('Fraud rules saved')).toBeVisible()

  const lead = await post(`/accounts/${owner.id}/leads`, {
    ...{ partnerId: jane.id, firstName: 'Irene', lastName: 'Castell', email: 'irene@mailinator.com' },
  })
  await post(`/leads/${lead.id}/sales`, { amount: 500_00 })
  const own = await post(`/accounts/${owner.id}/leads`, { partnerId: jane.id, email: jane.email })
  await post(`/leads/${own.id}/sales`, { amount: 100_00 })
  await page.goto(`${site.url}/dashboard`)
  await page.getByRole('link', { name: '2 cases of possible fraud' }).click()
  await expect(pageHeading(page, 'Fraud review')).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: 'Irene Castell' })
  await expect(row).toContainText('The customer’s email is a throwaway address.')
  await expect(row).toContainText('$100.00')
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
  const releasing = await act('Release')
  await releasing.getByLabel('Reason').fill('Known to us')
  await releasing.getByRole('button', { name: 'Release case' }).click()
  await expect(row).toHaveCount(0)
  await page.goto(`${site.url}/cases?state=decided`)
  await expect(row).toContainText('Known to us')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${site.url}/cases`)
  await expect(page.getByText('The lead’s email is the referring partner’s own.')).toBeVisible()
  await captureShot(page, 'evidence-desk-phone')
  expect(complaints).toEqual([])
})
