import { createCaller } from '#test/support/api.ts'
import { expectOk } from '#test/support/app.ts'
import { expectAccessible } from '#test/support/browser.ts'
import { anOwner, expectAccessibleInBothThemes, openAs, type Site } from '#test/support/journey.ts'
import { captureShot } from '#test/support/shots.ts'
import { expect, test } from '#test/support/test.ts'

// A customer invites friends in a panel of the company's app, and the owner sees what it brought.

let site: Site
test.beforeAll(({ site: shared }) => {
  site = shared
})

const WIDTHS = [280, 375, 1280]

async function aProgram(reward: object = { as: 'units', unitName: 'credits', unitValue: 100 }) {
  const owner = await anOwner(site, { name: 'Harbor Analytics', payoutDelay: 7 })
  const home = `/accounts/${owner.id}`
  const team = createCaller(site, owner.token)
  const group = await team.post(`${home}/groups`, {
    ...{ name: 'App customers', kind: 'customers', reward },
    terms: {
      rules: [{ on: 'sale', when: { firstPayments: 1 }, layerAmounts: [15_00] }],
      otherwise: { layerAmounts: [0] },
    },
  })
  await team.post(`/groups/${group.id}/goals`, {
    ...{ name: 'Five friends', metric: 'sales', window: 'all-time', atLeast: 5, bonus: 50_00 },
  })
  await team.post(`${home}/link-blueprints`, { name: 'Home', destinationUrl: 'https://harbor.example/' })
  const { key } = await team.post(`${home}/api-keys`, { name: 'App', rights: ['partners'] })
  const system = createCaller(site, key)
  const enrol = async (id: string, fields: object = {}) =>
    expectOk(
      await system.call('PUT', `${home}/partners/by-external-id/${id}`, {
        ...{ firstName: 'Ann', lastName: 'Lee', email: `${id}-${owner.id}@app.example`, groupId: group.id, ...fields },
      }),
    ).body
  const open = async (partner: { id: string }) =>
    (await system.post(`/partners/${partner.id}/portal-sessions`, { kind: 'link', view: 'invite' })).url as string
  return { owner, home, team, group, enrol, open }
}

test('a customer shares their link, reads what friends brought, and shows their first name', async ({
  page,
  complaints,
}) => {
  const { owner, home, team, enrol, open } = await aProgram()
  const ann = await enrol('ann')
  for (let at = 1; at <= 4; at++) {
    const fields = { partnerId: ann.id, firstName: 'Zebulon', email: `zebulon${at}@friend.example` }
    const friend = await team.post(`${home}/leads`, fields)
    if (at < 4)
      await team.post(`/leads/${friend.id}/sales`, { amount: 77_77 }).then(async (sale) => {
        if (at === 2) await team.post(`/sales/${sale.id}/refunds`, { amount: 77_77, reason: 'Returned' })
      })
  }
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(await open(ann))
  await expect(page.getByRole('heading', { level: 1, name: 'Invite friends' })).toBeVisible()
  await expect(page.getByText('For each friend, you get 15 credits after their first payment.')).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  const link = page.getByRole('region', { name: 'Your link' })
  await link.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Copied' }).first()).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain('/r/')
  const places = link.getByRole('list', { name: 'Share by' }).getByRole('link')
  await expect(places).toHaveCount(4)
  for (const place of await places.all()) {
    expect(await place.getAttribute('href')).toContain(encodeURIComponent(copied))
    expect(await place.getAttribute('target')).toBe('_blank')
    expect(await place.getAttribute('rel')).toBe('noopener noreferrer')
  }
  const rewards = page.getByRole('region', { name: 'Your rewards' })
  await expect(rewards.getByText(/^\d rewards?, \d on (its|their) way$/)).toBeVisible()
  await expect(rewards.getByRole('progressbar', { name: 'Five friends' })).toBeVisible()
  await expect(rewards.getByText('bonus 50 credits')).toBeVisible()
  const friends = page.getByRole('region', { name: 'Your friends' }).getByRole('listitem')
  await expect(friends.nth(0)).toHaveText(/^Friend 4 · [A-Z][a-z]{2} \d+ · Signed up$/)
  await expect(friends.nth(1)).toHaveText(/^Friend 3 · .* · Reward on [A-Z][a-z]{2} \d+$/)
  await expect(friends.nth(2)).toHaveText(/^Friend 2 · .* · No reward: refunded$/)
  await expect(page.locator('body')).not.toContainText(/zebulon|77\.77/i)

  await page.getByRole('checkbox', { name: 'Show my first name to friends' }).check()
  await expect(async () => expect((await team.get(`/partners/${ann.id}/offer`)).showFirstName).toBe(true)).toPass()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, `${width}`).toBeLessThanOrEqual(0)
    await expectAccessibleInBothThemes(page)
    await captureShot(page, `invite-${width}`)
  }
  // after a reload it is the same panel
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Invite friends' })).toBeVisible()

  await page.setViewportSize({ width: 1280, height: 800 })
  await openAs(page, site, owner, '/partners')
  await expect(page.getByText('No data to show')).toBeVisible()
  await page.getByRole('tab', { name: /^Customers/ }).click()
  const row = page.getByRole('row', { name: /Ann Lee/ })
  await expect(row).toContainText('4')
  await expectAccessible(page)
  await captureShot(page, 'customers')
  expect(complaints).toEqual([])
})

test('the panel without friends, with long names and money is whole at its narrowest', async ({ page }) => {
  const { team, group, enrol, open } = await aProgram({ as: 'money' })
  const bo = await enrol('bo', { lastName: 'Featherstonehaugh-Cholmondeley-Marjoribanks'.repeat(2) })
  await team.post(`/groups/${group.id}/goals`, {
    ...{ name: 'A very long name for a goal that somebody typed', metric: 'leads', window: 'month', atLeast: 500 },
    bonus: 1_234_567_00,
  })
  await page.setViewportSize({ width: 280, height: 800 })
  await page.goto(await open(bo))
  await expect(page.getByText('For each friend, you get $15.00 after their first payment.')).toBeVisible()
  await expect(page.getByText('Friends who follow your link appear here.')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(280)
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'invite-empty')
})

test('an owner adds a group of customers and reads what friend and customer get', async ({ page, complaints }) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [20] } })
  await openAs(page, site, owner, '/partners?tab=groups')
  await expect(page.getByRole('tab', { name: 'Customers' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Add group' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add group' })
  await dialog.getByRole('radio', { name: 'Customers' }).check()
  await dialog.getByLabel('Group Name').fill('App customers')
  await expect(dialog.getByText('No reward is set yet.')).toBeVisible()
  await expect(dialog.getByRole('checkbox', { name: 'Give automatically' })).toBeChecked()
  await dialog.getByLabel('Given As').selectOption('money')
  await expect(dialog.getByRole('checkbox', { name: 'Give automatically' })).not.toBeChecked()
  await expect(dialog.getByText(/^For each friend, you get/)).toBeVisible()
  await dialog.getByLabel('Given As').selectOption('units')
  await dialog.getByLabel('Unit Name').fill('credits')
  await dialog.getByLabel('Value of One Unit').fill('1')
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'add-group')
  await dialog.getByRole('button', { name: 'Add group' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'App customers' })).toBeVisible()
  await expect(page.getByText('No reward is set yet.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Friend’s offer' })).toContainText('Connect a payment provider')
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'group')
  await page.setViewportSize({ width: 375, height: 800 })
  await captureShot(page, 'group-375')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${site.url}/partners`)
  await page.getByRole('tab', { name: 'Customers' }).click()
  await expect(page.getByText('Customers appear here once your app adds them to a group for customers.')).toBeVisible()
  await captureShot(page, 'customers-empty')
  expect(complaints).toEqual([])
})
