import type { Page } from '@playwright/test'
import { anEmail, aPartner, expectOk, type TestApp, tokenInLink, waitUntil } from '../support/app.ts'
import { filterUnexpected } from '../support/browser.ts'
import { anOwner, atRest, expectAccessibleInBothThemes, openAs, pageHeading } from '../support/journey.ts'
import { aBlueprint } from '../support/links.ts'
import {
  aHistory,
  apiGet,
  apiPost,
  dialogNamed,
  factsPanel,
  jane,
  owner,
  preparePartners,
  site,
  sofia,
  statusMessage,
} from '../support/partners-screens.ts'
import type { Running } from '../support/running.ts'
import { listSavedMails } from '../support/saved-mails.ts'
import { expect, test } from '../support/test.ts'

// A partner's page for the owner and for a parent partner, and the actions of each.

preparePartners()

const year = new Date().getUTCFullYear()

/** The mail that invites this person, once it is stored. */
function invitationTo(email: string) {
  const app = { services: { config: { dataDir: (site as unknown as Running).dataDir } } } as TestApp
  return waitUntil(
    async () => (await listSavedMails(app)).findLast(({ to, link }) => to.includes(email) && link),
    30_000,
  )
}

async function choose(page: Page, action: string) {
  const actions = page.getByRole('group', { name: 'Page actions' })
  await actions.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('the first screenful of a partner and of a lead shows the amount owed, why it waits and what can be done', async ({
  page,
}) => {
  const lead = await apiPost(`/accounts/${owner.id}/leads`, { partnerId: sofia.id, email: 'first@screen.example' })
  await apiPost(`/leads/${lead.id}/sales`, { amount: 500_00 })
  const nobodys = await apiPost(`/accounts/${owner.id}/leads`, { email: 'nobodys@screen.example' })
  const owed = page.getByRole('region', { name: 'Balance owed' })
  const stands = page.getByRole('region', { name: 'Where this lead stands' })
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await openAs(page, site, owner, `/partners/${sofia.id}`)
    await expect(owed).toContainText(/Due \$50\.00 since \w+ \d+, \d{4}/)
    await expect(owed.getByText('No payout details')).toBeInViewport({ ratio: 1 })
    await expect(owed.getByRole('button', { name: 'Remind' })).toBeInViewport({ ratio: 1 })
    await expect(owed.getByRole('switch', { name: `Approved for payouts in ${year}` })).toBeInViewport({ ratio: 1 })
    await expectAccessibleInBothThemes(page)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/owed-${size.width}.png` })
    await openAs(page, site, owner, `/leads/${lead.id}`)
    await expect(stands.getByText('Commission due $50.00')).toBeInViewport({ ratio: 1 })
    await expectAccessibleInBothThemes(page)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/lead-${size.width}.png` })
    await openAs(page, site, owner, `/leads/${nobodys.id}`)
    await expect(stands.getByText('No partner is credited')).toBeInViewport({ ratio: 1 })
    await expect(stands.getByRole('button', { name: 'Assign partner' })).toBeInViewport({ ratio: 1 })
  }
  await openAs(page, site, owner, `/partners/${sofia.id}`)
  await owed.getByRole('button', { name: 'Remind' }).click()
  await expect(statusMessage(page, 'so the reminder wasn’t sent.')).toBeVisible()
  await owed.getByRole('button', { name: 'Remind' }).click()
  await expect(
    page
      .getByRole('alert')
      .or(page.getByRole('status'))
      .filter({ hasText: /reminded/i })
      .first(),
  ).toBeVisible()
  await owed.getByRole('switch', { name: `Approved for payouts in ${year}` }).click()
  await expect(statusMessage(page, `approved for ${year}`)).toBeVisible()
  await expect(owed).not.toContainText('Not yet approved')
  expect((await apiGet(`/partners/${sofia.id}`)).approvedPayoutYears).toEqual([year])
})

test('the year is approved with a switch that can be undone, and an adjustment and a tax form are recorded', async ({
  page,
  complaints,
}) => {
  await aHistory()
  await openAs(page, site, owner, `/partners/${jane.id}`)
  const owed = page.getByRole('region', { name: 'Balance owed' })
  await expect(owed).toContainText(`Due $50.00`)
  await expect(owed).toContainText(`Not yet approved for ${year}`)
  const approved = page.getByRole('switch', { name: `Approved for payouts in ${year}` })
  // only there, beside the reason
  await expect(owed.getByRole('switch')).toHaveCount(1)
  await expect(approved).toHaveCount(1)
  await approved.click()
  await expect(approved).toBeChecked()
  await expect(owed).not.toContainText('Not yet approved')
  // its label fits on one line of the narrow column
  const label = factsPanel(page, 'Setup').getByText(`Approved for payouts in ${year}`, { exact: true })
  expect((await label.boundingBox())?.height).toBeLessThan(24)
  await statusMessage(page, 'approved for').getByRole('button', { name: 'Undo' }).click()
  await expect(approved).not.toBeChecked()
  expect((await apiGet(`/partners/${jane.id}`)).approvedPayoutYears).toEqual([])

  await page.getByRole('button', { name: 'Add adjustment' }).click()
  const adjust = dialogNamed(page, 'Add adjustment')
  await expect(adjust.getByLabel('Amount')).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await adjust.getByRole('button', { name: 'Add adjustment' }).click()
  await expect(adjust.getByRole('alert')).toContainText('Check the marked fields: Amount, Reason')
  await adjust.getByLabel('Amount').fill('1.250')
  await adjust.getByLabel('Reason').fill('Bonus for May')
  await adjust.getByRole('button', { name: 'Add adjustment' }).click()
  await expect(adjust.getByLabel('Amount')).toHaveAccessibleDescription(/Enter an amount such as 1,250.00/)
  await adjust.getByLabel('Amount').fill('-12.50')
  await expect(adjust).toContainText('$37.50')
  await adjust.getByRole('button', { name: 'Add adjustment' }).click()
  await expect(statusMessage(page, 'Adjustment added')).toBeVisible()
  await expect(factsPanel(page, 'Balance')).toContainText(/Due\s*\$37\.50/)
  await expect(page.getByRole('button', { name: 'Add adjustment' })).toBeFocused()

  await choose(page, 'Record tax form')
  const form = dialogNamed(page, 'Record tax form')
  await form.getByRole('button', { name: 'Record tax form' }).click()
  await expect(form.getByLabel('Tax Form')).toHaveAccessibleDescription(/Tax Form is required/)
  await form.getByLabel('Tax Form').selectOption('W-8BEN')
  await form.getByLabel('Received On').fill('2999-01-01')
  await form.getByRole('button', { name: 'Record tax form' }).click()
  await expect(form.getByLabel('Received On')).toHaveAccessibleDescription(/The date cannot be in the future/)
  await form.getByLabel('Received On').fill('2025-02-03')
  await expectAccessibleInBothThemes(page)
  await form.getByRole('button', { name: 'Record tax form' }).click()
  await expect(factsPanel(page, 'Setup')).toContainText('W-8BEN, Feb 3, 2025')
  expect(complaints).toEqual([])
})

test('suspending asks for a reason and can be undone; archiving asks about sub-partners and balance; restoring undoes it', async ({
  page,
  complaints,
}) => {
  await aHistory()
  await openAs(page, site, owner, `/partners/${jane.id}`)
  await choose(page, 'Suspend')
  const suspend = dialogNamed(page, 'Suspend partner')
  await suspend.getByRole('button', { name: 'Suspend' }).click()
  await expect(suspend.getByLabel('Reason')).toHaveAccessibleDescription(/Reason is required/)
  await suspend.getByLabel('Reason').fill('Asked for it')
  await suspend.getByRole('button', { name: 'Suspend' }).click()
  await expect(page.getByRole('main')).toContainText('Suspended: links still work but earn no credit')
  await expectAccessibleInBothThemes(page)
  await statusMessage(page, 'Jane Whitfield suspended').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('main')).not.toContainText('Suspended: links still work')

  await choose(page, 'Archive')
  const archive = dialogNamed(page, 'Archive partner')
  await expect(archive.getByRole('radiogroup', { name: 'Sub-partners' })).toHaveAccessibleDescription('1 sub-partner')
  await expect(archive.getByRole('radiogroup', { name: 'Balance' })).toHaveAccessibleDescription('$50.00 open')
  await archive.getByRole('radio', { name: 'Keep' }).check()
  await archive.getByRole('radio', { name: 'Void' }).check()
  await archive.getByRole('button', { name: 'Archive' }).click()
  await expect(archive.getByLabel('Reason')).toHaveAccessibleDescription(/Reason is required/)
  await expectAccessibleInBothThemes(page)
  await archive.getByRole('radio', { name: 'Pay out' }).check()
  await archive.getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByRole('main')).toContainText('Archived: links still work but earn no credit')
  expect(await apiGet(`/partners/${jane.id}`)).toMatchObject({ state: 'archived', stats: { numberOfPartners: 1 } })

  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(statusMessage(page, 'Jane Whitfield restored')).toBeVisible()
  expect(await apiGet(`/partners/${jane.id}`)).toMatchObject({ state: 'active' })
  expect(complaints).toEqual([])
})

test('a partner with a history is archived instead of deleted; one without is deleted', async ({
  page,
  complaints,
}) => {
  await aHistory()
  await openAs(page, site, owner, `/partners/${jane.id}`)
  await choose(page, 'Delete')
  const ask = dialogNamed(page, 'Delete partner')
  await expect(ask).toContainText('This will delete Jane Whitfield. This action is permanent and cannot be undone.')
  await expect(ask.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await ask.getByRole('button', { name: 'Delete' }).click()
  await expect(ask.getByRole('alert')).toHaveText(
    'This partner has 2 leads, 1 sale, 1 payout, and 1 sub-partner. Archive the partner instead to keep the history and balance.',
  )
  await expect(ask.getByRole('button', { name: 'Delete' })).toBeDisabled()
  await expectAccessibleInBothThemes(page)
  await ask.getByRole('button', { name: 'Archive' }).click()
  await expect(dialogNamed(page, 'Archive partner')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialogNamed(page, 'Archive partner')).toBeHidden()
  // The browser itself logs the refusal on its console.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('409')])

  const nobody = await aPartner(site, owner, { firstName: 'Owen', lastName: 'Clarke', sendInvitation: false })
  await page.goto(`${site.url}/partners/${nobody.id}`)
  await choose(page, 'Delete')
  await ask.getByRole('button', { name: 'Delete' }).click()
  await expect(pageHeading(page, 'Partners')).toBeFocused()
  await expect(statusMessage(page, 'Partner deleted')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sofia Lindqvist' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Owen Clarke' })).toBeHidden()
  expect(complaints).toEqual([])
})

test('an invitation is sent for the first time, its link copied, and not sent again immediately', async ({
  page,
  context,
  complaints,
}) => {
  const email = anEmail('noah')
  const noah = await aPartner(site, owner, { firstName: 'Noah', lastName: 'Bennett', email, sendInvitation: false })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.url })
  await openAs(page, site, owner, `/partners/${noah.id}`)
  const invitation = factsPanel(page, 'Invitation')
  await expect(invitation).toContainText('Not invited yet')
  await invitation.getByRole('button', { name: 'Send invitation' }).click()
  // There is no mail server: no mail was sent, and the message claims none.
  await expect(statusMessage(page, 'New invitation link created')).toBeVisible()
  await expect(invitation).toContainText('Email isn’t set up on this server.')
  await invitation.getByRole('button', { name: 'Copy invitation link' }).click()
  await expect(statusMessage(page, 'Copied')).toBeVisible()
  const { url } = await apiGet(`/partners/${noah.id}/invitation`)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)
  await expectAccessibleInBothThemes(page)
  expect(complaints).toEqual([])
  // as over http, where there is no clipboard
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }))
  await expect(statusMessage(page, 'Copied')).toHaveCount(0)
  await invitation.getByRole('button', { name: 'Copy invitation link' }).click()
  await expect.poll(() => complaints.splice(0)).toEqual([expect.stringContaining('copying failed:')])
  await expect(statusMessage(page, 'Copied')).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)

  await invitation.getByRole('button', { name: 'Resend invitation' }).click()
  await expect(invitation.getByRole('alert')).toContainText('Try again in')
  expect(complaints.splice(0)).toEqual([expect.stringContaining('429')])
})

test('an invitation is revoked after confirmation: its link is dead, and another can be sent', async ({ page }) => {
  const noah = await aPartner(site, owner, { firstName: 'Noah', lastName: 'Bennett' })
  const { url } = await apiGet(`/partners/${noah.id}/invitation`)
  await openAs(page, site, owner, `/partners/${noah.id}`)
  const invitation = factsPanel(page, 'Invitation')
  const press = invitation.getByRole('button', { name: 'Revoke invitation' })
  await press.click()
  const revokeDialog = dialogNamed(page, 'Revoke invitation')
  await expect(revokeDialog).toContainText('The link for Noah Bennett stops working immediately.')
  await expect(revokeDialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(press).toBeFocused()
  await press.click()
  await revokeDialog.getByRole('button', { name: 'Revoke invitation' }).dblclick()
  await expect(statusMessage(page, 'Invitation revoked')).toBeVisible()
  await expect(revokeDialog).toBeHidden()
  await expect(invitation).toContainText('Revoked')
  await expect(invitation).toContainText('The link no longer works.')
  await expect(press).toHaveCount(0)
  await expect(invitation.getByRole('button', { name: 'Resend invitation' })).toBeVisible()
  const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token')
  expect((await site.api('GET', '/auth/user-setup', { token })).body.status ?? 'refused').not.toBe('valid')
})

test('a partner sees a sub-partner in reduced form, and edits it only until it is accepted', async ({
  page,
  complaints,
}) => {
  await aHistory()
  await openAs(page, site, sofia, '/partners')
  await page.getByRole('link', { name: 'Jane Whitfield' }).click()
  await expect(pageHeading(page, 'Jane Whitfield')).toBeFocused()
  await expect(page.getByRole('main')).toContainText(/Your earnings\s*\$25\.00/)
  await expect(page.getByRole('main')).toContainText(/p•••@|j•••@/)
  for (const hidden of ['Balance', 'Commission', 'Setup', 'Links']) await expect(factsPanel(page, hidden)).toBeHidden()
  for (const name of ['Edit', 'Add adjustment', 'Add sub-partner'])
    await expect(page.getByRole('button', { name, exact: true })).toBeHidden()
  await expect(page.getByRole('link', { name: 'Bella Rossi' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.goto(`${site.url}/partners/${jane.id}/update`)
  await expect(page.getByRole('main')).toContainText('This partner has accepted the invitation.')
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden()

  const email = anEmail('ivo')
  const ivo = await apiPost(`/partners/${sofia.id}/partners`, { firstName: 'Ivo', email }, sofia.token)
  await page.goto(`${site.url}/partners/${ivo.id}`)
  await expect(page.getByRole('main')).toContainText(email)
  await expect(factsPanel(page, 'Invitation').getByRole('button', { name: 'Copy invitation link' })).toBeHidden()
  await expect(factsPanel(page, 'Invitation')).toContainText('The account owner can pass the link on.')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(pageHeading(page, 'Edit partner')).toBeFocused()
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(3)
  await page.getByLabel('Last Name').fill('Newcomer')
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(pageHeading(page, 'Ivo Newcomer')).toBeFocused()
  expect(complaints).toEqual([])
})

test('an object of another role offers that role; a missing one says so; a failing part fails alone', async ({
  page,
  complaints,
}) => {
  const other = await anOwner(site, { name: 'Cobalt Fitness' })
  const guest = await aPartner(site, other, { firstName: 'Elena', lastName: 'Marsh', email: owner.email })
  const below = await aPartner(site, other, { firstName: 'Kit', lastName: 'Below', parentPartnerId: guest.id })
  await openAs(page, site, owner, `/partners/${below.id}`)
  await expect(pageHeading(page, 'Partner')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('This partner doesn’t exist, or was deleted.')
  await expectAccessibleInBothThemes(page)
  complaints.splice(0)

  const { link = '' } = await invitationTo(owner.email)
  expectOk(
    await site.api('POST', '/auth/user-setup/accept', { token: owner.token, body: { token: tokenInLink(link) } }),
  )
  await page.reload()
  await expect(page.getByText('This belongs to another of your roles.')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: "Switch to Cobalt Fitness's partner" }).click()
  await expect(pageHeading(page, 'Kit Below')).toBeFocused()
  await expect(page.getByRole('button', { name: "Switch role, current: Cobalt Fitness's partner" })).toBeVisible()
  // Calls for an owner's parts of the page were started and are refused to a partner, which the browser logs.
  expect(complaints.splice(0).filter((complaint) => !/ status of (404|422) /.test(complaint))).toEqual([])
  await page.goto(`${site.url}/partners`)
  await page.getByRole('button', { name: /^Switch role/ }).click()
  await page.getByRole('menuitemradio', { name: 'Harbor Analytics' }).click()

  await page.route(/\/balance$/, (route) => route.fulfill({ status: 400, body: '{}' }))
  await page.goto(`${site.url}/partners/${jane.id}`)
  const balance = factsPanel(page, 'Balance')
  await expect(balance.getByRole('alert')).toContainText('Failed to load')
  await expect(page.getByRole('table', { name: 'Commission' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.unroute(/\/balance$/)
  await balance.getByRole('button', { name: 'Try again' }).click()
  await expect(balance).toContainText('Earned')
  expect(filterUnexpected(complaints, 400)).toEqual([])
})

test('on a phone nothing is wider than the screen, however long the names', async ({ page, complaints }) => {
  const long = await aPartner(site, owner, {
    firstName: 'Konstantinopolitanische'.repeat(4),
    lastName: 'W'.repeat(100),
    email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example`,
    parentPartnerId: jane.id,
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, site, owner, `/partners/${long.id}`)
  for (const path of ['', '?tab=sub-partners', '/update']) {
    await page.goto(`${site.url}/partners/${long.id}${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await atRest(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390)
  }
  await expectAccessibleInBothThemes(page)
  expect(complaints).toEqual([])
})

test('several partners are approved, invited and suspended at once; refused ones are named', async ({
  page,
  complaints,
}) => {
  const other = await anOwner(site, { name: 'Cobalt Fitness' })
  const added: { id: string }[] = []
  for (const firstName of ['Ada', 'Ben', 'Cleo'])
    added.push(
      await apiPost(
        `/accounts/${other.id}/partners`,
        { firstName, lastName: 'Ito', email: `${firstName.toLowerCase()}@ito.example`, sendInvitation: false },
        other.token,
      ),
    )
  const states = async (field: string) =>
    Promise.all(added.map(async ({ id }) => (await apiGet(`/partners/${id}`, other.token))[field]))
  await openAs(page, site, other, '/partners')
  const bar = page.getByRole('group', { name: 'Selection' })
  const tick = (name: string) => page.getByRole('checkbox', { name, exact: true }).check()

  await tick('Select Ada Ito')
  await expect(bar.getByRole('status')).toHaveText('1 selected')
  await tick('Select Ben Ito')
  await expectAccessibleInBothThemes(page)
  await bar.getByRole('button', { name: `Approve for ${year}` }).click()
  await expect(statusMessage(page, `2 partners approved for ${year}`)).toBeVisible()
  await expect(bar).toBeHidden()
  expect(await states('approvedForPayouts')).toEqual([true, true, false])
  await statusMessage(page, '2 partners approved').getByRole('button', { name: 'Undo' }).click()
  await expect(statusMessage(page, `2 partners no longer approved for ${year}`)).toBeVisible()
  expect(await states('approvedForPayouts')).toEqual([false, false, false])

  await tick('Select Ada Ito')
  await bar.getByRole('button', { name: 'Resend invitation' }).click()
  await expect(statusMessage(page, '1 new invitation link created')).toBeVisible()
  await tick('Select all on page')
  await bar.getByRole('button', { name: 'Resend invitation' }).click()
  await expect(statusMessage(page, '2 new invitation links created')).toBeVisible()
  const refused = dialogNamed(page, '1 partner was not changed')
  await expect(refused.getByRole('listitem')).toHaveText(/^Ada Ito.+ again/)
  await expectAccessibleInBothThemes(page)
  await refused.getByRole('button', { name: 'Done' }).click()
  await expect(bar).toBeHidden()

  await tick('Select all on page')
  await bar.getByRole('button', { name: 'Suspend' }).click()
  const ask = dialogNamed(page, 'Suspend 3 partners')
  await ask.getByLabel('Reason').fill('The program is paused')
  await ask.getByRole('button', { name: 'Suspend' }).click()
  await expect(statusMessage(page, '3 partners suspended')).toBeVisible()
  expect(await states('state')).toEqual(['suspended', 'suspended', 'suspended'])
  // an action runs on the server: its end appears on whichever screen is open by then
  await page.getByRole('link', { name: 'Leads' }).click()
  await statusMessage(page, '3 partners suspended').getByRole('button', { name: 'Undo' }).click()
  await expect(statusMessage(page, '3 partners restored')).toBeVisible()
  expect(await states('state')).toEqual(['invited', 'invited', 'invited'])
  expect(complaints).toEqual([])
})

test('hidden columns stay hidden, even after a reload', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/partners')
  const heads = page.getByRole('columnheader')
  await expect(heads.filter({ hasText: 'Code' })).toBeVisible()
  await page.getByRole('button', { name: 'Columns' }).click()
  const code = page.getByRole('menuitemcheckbox', { name: 'Code' })
  await expect(code).toBeChecked()
  await expectAccessibleInBothThemes(page)
  await code.click()
  await page.getByRole('menuitemcheckbox', { name: 'Sub-partners' }).click()
  await expect(code).not.toBeChecked()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Columns' })).toBeFocused()
  await expect(heads.filter({ hasText: /Code|Sub-partners/ })).toHaveCount(0)
  const kept = async () => expectOk(await site.api('GET', '/users/me', { token: owner.token })).body.preferences
  await expect.poll(async () => Object.values(await kept()).flat()).toHaveLength(2)
  await page.reload()
  await expect(heads.filter({ hasText: 'Revenue' })).toBeVisible()
  await expect(heads.filter({ hasText: /Code|Sub-partners/ })).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('an owner adds and deletes a promotion code, and the partner sees theirs beside their links', async ({
  page,
  complaints,
}) => {
  await aBlueprint(site, owner)
  await openAs(page, site, owner, `/partners/${jane.id}`)
  const codes = factsPanel(page, 'Setup')
  for (const code of ['JANE20', 'Spring offer 🌷']) {
    await codes.getByRole('button', { name: 'Add promotion code' }).click()
    await dialogNamed(page, 'Add promotion code').getByLabel('Code').fill(code)
    await dialogNamed(page, 'Add promotion code').getByRole('button', { name: 'Add promotion code' }).click()
    await expect(codes.getByText(code)).toBeVisible()
  }
  // a code of another partner is refused in its field
  await apiPost(`/partners/${sofia.id}/promotion-codes`, { code: 'SOFIA' })
  await codes.getByRole('button', { name: 'Add promotion code' }).click()
  await dialogNamed(page, 'Add promotion code').getByLabel('Code').fill('sofia')
  await dialogNamed(page, 'Add promotion code').getByRole('button', { name: 'Add promotion code' }).click()
  await expect(page.getByText('This promotion code belongs to Sofia Lindqvist')).toBeVisible()
  await page.keyboard.press('Escape')
  await expectAccessibleInBothThemes(page)
  await codes.getByRole('button', { name: 'Delete promotion code JANE20' }).click()
  await dialogNamed(page, 'Delete Promotion code').getByRole('button', { name: 'Delete' }).click()
  await expect(codes.getByRole('listitem')).toHaveText(['Spring offer 🌷'])

  await openAs(page, site, jane, '/dashboard')
  await page.getByRole('button', { name: 'All links and codes' }).click()
  const own = factsPanel(page, 'Your promotion codes')
  await expect(own.getByRole('listitem')).toHaveText([/Spring offer 🌷/])
  await expect(own.getByRole('button', { name: 'Copy promotion code Spring offer 🌷' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await openAs(page, site, sofia, `/partners/${jane.id}`)
  await expect(pageHeading(page, 'Jane Whitfield')).toBeVisible()
  await expect(page.getByText('Spring offer 🌷')).toBeHidden()
  expect(filterUnexpected(complaints, 409)).toEqual([])
})

test('a partner is added with only an email; an error among the other options opens them', async ({
  page,
  complaints,
}) => {
  await openAs(page, site, owner, '/partners/new')
  const more = page.getByRole('button', { name: 'More options' })
  await expect(more).toHaveAttribute('aria-expanded', 'false')
  await expect(page.getByRole('main').getByRole('textbox').first()).toHaveAccessibleName('Email')
  await more.click()
  await page.getByLabel('Referral Code').fill('No code')
  await more.click()
  await expect(page.getByLabel('Referral Code')).toBeHidden()
  await page.getByLabel('Email').fill('mara@partners.example')
  const add = page.getByRole('form', { name: 'Add partner' }).getByRole('button', { name: 'Add partner' })
  await add.click()
  await expect(page.getByRole('alert')).toContainText('Check the marked fields: Referral Code')
  await expect(more).toHaveAttribute('aria-expanded', 'true')
  await page.getByRole('alert').getByRole('link', { name: 'Referral Code' }).click()
  await expect(page.getByLabel('Referral Code')).toBeFocused()

  // so does a mistake that only the server finds
  await page.getByLabel('Referral Code').fill('jane')
  await more.click()
  await add.click()
  await expect(page.getByLabel('Referral Code')).toBeVisible()
  await expect(page.getByLabel('Referral Code')).toHaveAccessibleDescription(/This code is taken/)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('409')])
  await page.getByLabel('Referral Code').fill('')
  await more.click()
  await add.click()
  await expect(pageHeading(page, 'mara')).toBeVisible()

  // a parent who is already chosen is shown
  await page.getByRole('button', { name: 'Add sub-partner' }).click()
  await expect(page.getByLabel('Parent Partner')).toHaveValue('mara')
  expect(complaints).toEqual([])
})
