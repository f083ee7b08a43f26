import { deliverStripeEvent, stripePayment } from '../fakes/stripe-events.ts'
import { expectOk } from '../support/app.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  pageHeading,
  type Site,
  signedInPage,
} from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// Payments that matched no lead: whose they are, where they are at the provider, and the leads that look like the payer.

const SIGNING_SECRET = 'whsec_unattributed'

test('an owner sees who paid, opens the payment at Stripe, and attributes it to the lead that looks like the payer', async ({
  site: shared,
  browser,
}) => {
  const site: Site = shared
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [10] } })
  const post = async (path: string, body: object) =>
    expectOk(await site.api('POST', path, { token: owner.token, body })).body
  const jane = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const aLead = (fields: object) => post(`/accounts/${owner.id}/leads`, { partnerId: jane.id, ...fields })
  await aLead({ firstName: 'Rosa', lastName: 'Delgado', email: 'rosa+trial@delgado.example' })
  await aLead({ firstName: 'Iker', lastName: 'Delgado', email: 'iker@delgado.example' })
  const { webhookUrl } = await post(`/accounts/${owner.id}/payment-providers/connect`, {
    provider: 'stripe',
    credentials: { restrictedKey: shared.stripe.key, webhookSecret: SIGNING_SECRET },
  })
  const { store } = shared.stripe
  const facts = { amount: 129_00, email: 'rosa@delgado.example', customer: 'cus_RosaDelgado', store }
  await deliverStripeEvent(webhookUrl, stripePayment(facts).checkoutCompleted, SIGNING_SECRET)

  const complaints: string[] = []
  const page = await signedInPage(browser, site, owner, complaints)
  await page.goto(`${site.url}/leads?tab=unattributed`)
  await expect(pageHeading(page, 'Leads')).toBeVisible()
  const table = page.getByRole('table', { name: 'Unattributed sales' })
  const row = table.getByRole('row').filter({ hasText: '$129.00' })
  await expect(async () => {
    await page.reload()
    await expect(row).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 20_000 })
  for (const search of ['cus_Rosa', 'rosa@delgado', 'pi_', '$']) {
    await page.getByLabel('Search sales').fill(search)
    await expect(page).toHaveURL((url) => url.searchParams.get('search') === search)
    if (search === '$') await expect(page.getByText('No data to show')).toBeVisible()
    else await expect(row).toContainText('rosa@delgado.example')
  }
  await page.getByLabel('Search sales').fill('')
  await expect(row).toContainText('Jane Whitfield · same mailbox')
  const payment = /^https:\/\/dashboard\.stripe\.com\/(acct_\w+\/)?test\/payments\/pi_\w+$/
  await expectAccessibleInBothThemes(page)

  const dialog = page.getByRole('dialog', { name: 'Attribute sale' })
  const alike = dialog.getByRole('region', { name: 'Leads that may be the payer' })
  // a reason that was typed before the leads arrived stays
  const arrival = Promise.withResolvers<void>()
  await page.route(/\/similar-leads$/, async (route) => {
    await arrival.promise
    await route.continue()
  })
  await row.getByRole('button', { name: 'Attribute' }).click()
  await dialog.getByLabel('Reason').fill('She told us')
  arrival.resolve()
  await expect(alike.getByRole('button')).toHaveCount(2)
  await expect(dialog.getByLabel('Reason')).toHaveValue('She told us')
  await page.unrouteAll()
  await page.reload()

  await row.getByRole('button', { name: 'Attribute' }).click()
  await expect(alike.getByRole('button')).toHaveText([
    'Rosa Delgado rosa+trial@delgado.exampleJane Whitfield · Same mailbox',
    'Iker Delgado iker@delgado.exampleJane Whitfield · Same email domain',
  ])
  const chosen = { Partner: 'Jane Whitfield', Lead: 'Rosa Delgado', Reason: 'Same mailbox: Rosa Delgado' }
  for (const [label, value] of Object.entries(chosen))
    await expect(dialog.getByLabel(label, { exact: true })).toHaveValue(value)
  await alike.getByRole('button', { name: /^Iker Delgado/ }).click()
  await expect(dialog.getByLabel('Reason')).toHaveValue('Same email domain: Iker Delgado')
  await expect(dialog.getByRole('link', { name: 'Open in Stripe' })).toHaveAttribute('href', payment)
  await alike.getByRole('button', { name: /^Rosa Delgado/ }).click()
  await expect(alike.getByRole('button', { name: /^Rosa Delgado/ })).toHaveAttribute('aria-pressed', 'true')
  await expect(dialog.getByLabel('Lead', { exact: true })).toHaveValue('Rosa Delgado')
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('Reason').fill('She pays with her own address')
  await dialog.getByRole('button', { name: 'Attribute', exact: true }).click()
  await expect(page.getByRole('status').getByText('Sale attributed', { exact: true })).toBeVisible()

  // the same facts in the Sales tab, on the lead, and in the sale's dialog
  await page.getByRole('tab', { name: 'Sales', exact: true }).click()
  const line = page.getByRole('table', { name: 'Leads: Sales' }).getByRole('row').filter({ hasText: '$129.00' }).first()
  await page.getByLabel('Search sales').fill('cus_RosaDelgado')
  await expect(page).toHaveURL(/search=cus_RosaDelgado/)
  await line.getByRole('link', { name: 'Rosa Delgado', exact: true }).click()
  await expect(pageHeading(page, 'Rosa Delgado')).toBeVisible()
  const sales = page.getByRole('region', { name: 'Sales', exact: true })
  await expect(sales.getByRole('link', { name: 'Open in Stripe' })).toHaveAttribute('href', payment)
  await sales.getByRole('button', { name: 'Credited manually' }).click()
  const why = page.getByRole('dialog', { name: 'Why this partner' })
  await expect(why.getByRole('link', { name: 'Open in Stripe' })).toHaveAttribute('href', payment)
  expect(complaints).toEqual([])
})
