import type { Page } from '@playwright/test'
import { anEmail, aPartner, ok } from '../support/app.ts'
import {
  anOwner,
  enter,
  expectAccessibleInBothThemes,
  heading,
  type Person,
  type Site,
  showOptions,
} from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// Adding one partner and several: the added names, the links to pass on, and no duplicates.

let site: Site
let owner: Person & { id: string }

test.beforeEach(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site)
})

const partnersOf = async () =>
  ok(await site.api('GET', `/accounts/${owner.id}/partners?sort=createdAt`, { token: owner.token })).body.items

test('whoever was added is named, their link is there at once, and so is the way to the next one', async ({ page }) => {
  await enter(page, site, owner, '/partners/new')
  await page.getByLabel('First Name').fill('Olive')
  await page.getByLabel('Last Name').fill('Tarn')
  await page.getByLabel('Email').fill(anEmail())
  await page.getByRole('button', { name: 'Add partner' }).click()
  await expect(heading(page, 'Olive Tarn')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^Partner added: Olive Tarn/ })).toBeVisible()
  const notice = page.getByRole('status').filter({ hasText: 'Olive Tarn was added. Send them this link' })
  await expect(notice.getByText('/user-setup#token=')).toBeVisible()
  await expect(notice.getByRole('button', { name: 'Copy link for Olive Tarn' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await notice.getByRole('button', { name: 'Add another' }).click()
  await expect(heading(page, 'Add partner')).toBeVisible()
  await page.getByLabel('Email').fill('sam@tarn.example')
  await showOptions(page)
  await page.getByRole('checkbox', { name: 'Send invitation' }).uncheck()
  await page.getByRole('button', { name: 'Add partner' }).click()
  await expect(page.getByText('sam was added without an invitation.')).toBeVisible()
  await page.goto(page.url())
  await page.getByRole('link', { name: 'Partners' }).first().click()
  await page.getByRole('link', { name: 'Olive Tarn' }).click()
  await expect(heading(page, 'Olive Tarn')).toBeVisible()
  await expect(page.getByText('was added')).toBeHidden()
})

test('several are read from what was pasted, added below one parent, and what is refused can be corrected', async ({
  page,
}) => {
  const parent = await aPartner(site, owner, { firstName: 'Sofia', lastName: 'Lindqvist' })
  const known = await aPartner(site, owner, { firstName: 'Known', lastName: 'Already' })
  await enter(page, site, owner, `/partners/new?parent=${parent.id}`)
  await page
    .getByRole('link', { name: 'Add several' })
    .or(page.getByRole('button', { name: 'Add several' }))
    .click()
  const box = page.getByLabel('Partners', { exact: true })
  await page.getByRole('button', { name: 'Add partners', exact: true }).click()
  await expect(page.getByText('Enter at least one email address').first()).toBeVisible()
  const people = [
    'Jane Doe <jane@several.example>',
    `${known.email}, Again`,
    'nobody',
    'Doe\tJane\tjane2@several.example',
  ]
  await box.fill(people.join('\n'))
  const preview = page.getByRole('table', { name: 'Preview' })
  await expect(preview.getByRole('row')).toHaveCount(5)
  await expect(preview.getByRole('row', { name: /jane@several/ })).toContainText('jane-doe')
  await expect(preview.getByRole('row', { name: /nobody/ })).toContainText('No email address found')
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Add 3 partners' }).click()

  const result = page.getByRole('table', { name: '2 partners added' })
  await expect(result.getByRole('row')).toHaveCount(3)
  await expect(result.getByRole('button', { name: 'Copy link for Jane Doe' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy all links' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /Jane Doe and Doe Jane added/ })).toBeVisible()
  await expect(box).toHaveValue(`${known.email}, Again\nnobody`)
  await expect(preview.getByRole('row', { name: /Again/ })).toContainText('A partner with this email already exists')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/several.png`, fullPage: true })
  for (const width of [768, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
  await expectAccessibleInBothThemes(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/several-390.png`, fullPage: true })

  await box.fill('nobody@several.example')
  await page.getByRole('button', { name: 'Add 1 partner' }).click()
  await expect(page.getByRole('table', { name: '3 partners added' })).toBeVisible()
  await expect(box).toHaveValue('')
  const added = (await partnersOf()).filter(({ email }: { email: string }) => email.endsWith('@several.example'))
  expect(added.map((one: { email: string }) => one.email)).toEqual([
    'jane@several.example',
    'jane2@several.example',
    'nobody@several.example',
  ])
  for (const one of added) expect(one.parentPartnerId).toBe(parent.id)
})

test('without a mail server nobody reads of an invitation that was sent, and every link that may be shown is', async ({
  page,
}) => {
  const knownElsewhere = await aPartner(site, await anOwner(site), { firstName: 'Nia' }, { signIn: true })
  const kept = 'Email isn’t set up on this server, so the invitation wasn’t sent.'
  await enter(page, site, owner, '/partners/new')
  await page.getByLabel('Email').fill(knownElsewhere.email)
  await page.getByLabel('First Name').fill('Nia')
  await page.getByRole('button', { name: 'Add partner' }).click()
  await expect(heading(page, 'Nia')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: `Nia was added. ${kept}` })).toBeVisible()
  const panel = page.getByRole('region', { name: 'Invitation' })
  await expect(panel).toContainText(`npx tributary user invitations ${knownElsewhere.email}`)
  await expect(page.getByText(/on its way|Invitation sent/)).toBeHidden()
  await expectAccessibleInBothThemes(page)

  const other = await aPartner(site, await anOwner(site), { firstName: 'Omar' }, { signIn: true })
  await page.goto(`${site.url}/partners/new`)
  await page
    .getByRole('link', { name: 'Add several' })
    .or(page.getByRole('button', { name: 'Add several' }))
    .click()
  await page.getByLabel('Partners', { exact: true }).fill(`Omar Two <${other.email}>\nPia Three <${anEmail()}>`)
  await page.getByRole('button', { name: /^Add 2 partners/ }).click()
  const result = page.getByRole('table', { name: '2 partners added' })
  await expect(result.getByRole('row', { name: /Omar Two/ })).toContainText(
    'Not sent: email isn’t set up on this server',
  )
  await expect(result.getByRole('button', { name: 'Copy link for Pia Three' })).toBeVisible()
})

test('an answer that is lost, and a second press, add nobody twice', async ({ page }) => {
  await enter(page, site, owner, '/partners/new?several=true')
  const box = page.getByLabel('Partners', { exact: true })
  await box.fill('ann@lost.example\nbob@lost.example\ncleo@lost.example')
  let calls = 0
  await page.route('**/api/v1/accounts/*/partners/bulk', async (route) => {
    calls += 1
    if (calls > 1) return route.continue()
    // the server has done it, but the answer is lost
    await route.fetch()
    return route.abort()
  })
  const submit = page.getByRole('button', { name: 'Add 3 partners' })
  await submit.dblclick({ noWaitAfter: true })
  await expect(box).toHaveValue('ann@lost.example\nbob@lost.example\ncleo@lost.example')
  await expect(page.getByRole('cell', { name: 'Ready' })).toHaveCount(0)
  await submit.click()
  await expect(page.getByRole('table', { name: '3 partners added' })).toBeVisible()
  expect((await partnersOf()).map(({ email }: { email: string }) => email)).toEqual([
    'ann@lost.example',
    'bob@lost.example',
    'cleo@lost.example',
  ])
})

const people = (count: number) => Array.from({ length: count }, (_, at) => `p${at + 1}@many.example`).join('\n')
const adding = (page: Page) => page.getByRole('progressbar', { name: 'Adding partners' })

/** Refuses the n-th call once, like a server whose rate limit is used up. */
async function spendAt(page: Page, nth: number, seconds: number) {
  let calls = 0
  await page.route('**/api/v1/accounts/*/partners/bulk', async (route) => {
    if (++calls !== nth) return route.continue()
    const error = { code: 'rate_limited', reason: 'too_many_calls', message: 'Too many requests.' }
    await route.fulfill({ status: 429, headers: { 'retry-after': String(seconds) }, json: { error, requestId: 'r' } })
  })
}

test('where the minute’s calls are used up it waits as long as the server says, and goes on', async ({ page }) => {
  await enter(page, site, owner, '/partners/new?several=true')
  await page.getByLabel('Partners', { exact: true }).fill(people(4))
  await spendAt(page, 1, 1)
  await page.setViewportSize({ width: 1280, height: 500 })
  await page.getByRole('button', { name: 'Add 4 partners' }).click()
  await expect(page.getByRole('status').filter({ hasText: '0 of 4' })).toContainText('Continuing in 1 second.')
  await expect(page.getByRole('table', { name: '4 partners added' })).toBeVisible()
  await expect(page.getByRole('heading', { name: '4 partners added' })).toBeInViewport()
  expect(await partnersOf()).toHaveLength(4)
})

test('a hundred are added by a call; a pause is canceled at once, and after a reload the rest is there to be added', async ({
  page,
}) => {
  await enter(page, site, owner, '/partners/new?several=true')
  const box = page.getByLabel('Partners', { exact: true })
  const all = people(130).split('\n')
  await box.fill(all.join('\n'))
  await page.getByRole('checkbox', { name: 'Send invitation' }).uncheck()
  await spendAt(page, 2, 60)
  await page.getByRole('button', { name: 'Add 130 partners' }).click()
  await expect(page.getByText('Continuing in 60 seconds.')).toBeVisible()
  await expect(adding(page)).toHaveAttribute('aria-valuenow', '100')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(page.getByRole('table', { name: '100 partners added' })).toBeVisible()
  await expect(box).toHaveValue(all.slice(100).join('\n'))
  await expect(page.getByText('A partner with this email')).toBeHidden()

  await page.unrouteAll()
  await spendAt(page, 1, 60)
  await page.getByRole('button', { name: 'Add 30 partners' }).click()
  await expect(page.getByText('Continuing in 60 seconds.')).toBeVisible()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(page.url())
  await expect(page.getByText('Adding was interrupted after 0 of 30.')).toBeVisible()
  await expect(box).toHaveValue(all.slice(100).join('\n'))
  await expect(page.getByRole('checkbox', { name: 'Send invitation' })).not.toBeChecked()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Add 30 partners' }).click()
  await expect(page.getByRole('table', { name: '30 partners added' })).toBeVisible()
  await page.goto(page.url())
  await expect(box).toHaveValue('')
})
