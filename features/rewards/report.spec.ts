import { createCaller } from '#test/support/api.ts'
import { anOwner, expectAccessibleInBothThemes, openAs } from '#test/support/journey.ts'
import { captureShot } from '#test/support/shots.ts'
import { expect, test } from '#test/support/test.ts'

// An owner sets and reads the rewards of customers.

test('the report of rewards appears with a group of customers, and adds up what they earned and were given', async ({
  page,
  site,
  complaints,
}) => {
  const owner = await anOwner(site, { payoutDelay: 0 })
  const home = `/accounts/${owner.id}`
  const team = createCaller(site, owner.token)
  await openAs(page, site, owner, '/reports')
  await expect(page.getByRole('tab', { name: 'Cohorts' })).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Rewards' })).toHaveCount(0)

  const group = await team.post(`${home}/groups`, {
    ...{ name: 'App customers', kind: 'customers', automatic: false },
    reward: { as: 'units', unitName: 'credits', unitValue: 100 },
    terms: { rules: [{ on: 'new-customer', layerAmounts: [15_00] }], otherwise: { layerAmounts: [0] } },
  })
  await page.goto(`${site.url}/reports?tab=rewards`)
  await expect(page.getByText('No customer earned a reward in these days.')).toBeVisible()
  await expectAccessibleInBothThemes(page)

  const customers = []
  for (const firstName of ['Ann', 'Featherstonehaugh-Cholmondeley'])
    customers.push(
      await team.post(`${home}/partners`, {
        ...{
          firstName,
          lastName: 'Lee',
          email: `${firstName.toLowerCase()}-${owner.id}@app.example`,
          groupId: group.id,
        },
        externalId: `user-${firstName.toLowerCase()}`,
      }),
    )
  const sales = []
  for (const { id: partnerId } of customers) {
    const friend = await team.post(`${home}/leads`, { partnerId, email: `friend-of-${partnerId}@friend.example` })
    sales.push(await team.post(`/leads/${friend.id}/sales`, { amount: 40_00 }))
  }
  await team.post(`${home}/payouts/refresh`)
  for (const { id } of customers) {
    const [payout] = (await team.get(`/partners/${id}/payouts`)).items
    await team.post(`/payouts/${payout.id}/approve`)
    await team.post(`/payouts/${payout.id}/acknowledgement`, {})
  }
  await team.post(`/sales/${sales[1].id}/refunds`, { amount: 40_00, reason: 'Returned' })

  await page.goto(`${site.url}/reports`)
  await page.getByRole('tab', { name: 'Rewards' }).click()
  const months = page.getByRole('table', { name: 'Rewards by month' })
  await expect(months.getByRole('row').nth(1).getByRole('cell')).toHaveText([
    '2',
    '$15.00',
    '$7.50',
    '30 credits ($30.00)',
  ])
  const below = page.getByRole('table', { name: 'Balances below zero' })
  await expect(below.getByRole('row').nth(1)).toContainText('user-featherstonehaugh-cholmondeley')
  await expect(below.getByRole('row').nth(1).getByRole('cell').last()).toHaveText('-$15.00')
  await page.getByRole('button', { name: /^Date range/ }).click()
  await page.getByRole('button', { name: 'Last month' }).click()
  await expect(page.getByText('No customer earned a reward in these days.')).toBeVisible()
  await expect(below).toBeVisible()
  await page.goto(`${site.url}/reports?tab=rewards`)
  for (const width of [1280, 768, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(months).toBeVisible()
    await expectAccessibleInBothThemes(page)
    await captureShot(page, `rewards-report-${width}`)
  }
  await below.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Featherstonehaugh')
  expect(complaints).toEqual([])
})

test('terms of customers have one layer, whole units as amounts, and the words of rewards', async ({
  page,
  site,
  complaints,
}) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [20] } })
  const group = await createCaller(site, owner.token).post(`/accounts/${owner.id}/groups`, {
    ...{ name: 'App customers', kind: 'customers' },
    reward: { as: 'units', unitName: 'credits', unitValue: 100 },
  })
  await openAs(page, site, owner, '/partners?tab=groups')
  await expect(page.getByRole('row', { name: /App customers/ })).toContainText('No reward is set yet.')
  await expect(page.getByText(/Partners earn nothing/)).toHaveCount(0)
  await page.goto(`${site.url}/partners/groups/${group.id}`)
  await expect(page.getByLabel('Layer 1 Amount')).toBeVisible()
  await expect(page.getByText(/Partners earn/)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add layer' })).toHaveCount(0)
  await expect(page.getByLabel('Commission Type')).toHaveCount(0)
  await page.getByRole('button', { name: 'Add rule' }).click()
  const rule = page.getByRole('dialog', { name: 'Add rule' })
  await expect(rule.getByLabel('Layer 1 Amount')).toBeVisible()
  await expect(rule.getByRole('button', { name: 'Add layer' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByText('Limits', { exact: true }).click()
  await expect(page.getByLabel('Limit per Friend')).toBeVisible()
  for (const width of [1280, 768, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expectAccessibleInBothThemes(page)
    await captureShot(page, `group-terms-${width}`)
  }
  expect(complaints).toEqual([])
})
