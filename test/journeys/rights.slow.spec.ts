import type { Page } from '@playwright/test'
import { type TeamRole, teamRoles } from '#contract/endpoint.ts'
import { acceptInvitation, anEmail, expectOk, PASSWORD } from '../support/app.ts'
import { anOwner, openAs, type Person, reopenScreen, signedInPage } from '../support/journey.ts'
import { fillPath, screens } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

// Every screen of an account as each role of its team sees it: no call is refused, and a viewer has no control that
// writes.

/** Buttons that change nothing: they show, choose, copy or download. */
const HARMLESS =
  /^(Download|Copy|Show|Hide|Search|Columns|More|Clear|Sort|Next|Previous|Sign out|Dismiss|Open|Close|View|Compare|Saved|Reset|Filter|All|Choose|Help|Date|Try again|Select|Last |This |Retry$|Leave|Reports$|Save view$|Why$|\d+ ready)/

/** Screens whose fields are settings. */
const SETTINGS = /^\/(account\/settings|integrations\/embed-code|partners\/groups)/

/** Inviting needs a fresh proof, and these people signed in long ago on a slow machine. */
const proveAgain = async (site: Parameters<typeof signedInPage>[1], { token }: Person) =>
  expectOk(await site.api('POST', '/auth/confirm', { token, body: { password: PASSWORD } }))

async function aColleague(site: Parameters<typeof signedInPage>[1], owner: Person & { id: string }, role: TeamRole) {
  const email = anEmail(role)
  await proveAgain(site, owner)
  const { body } = expectOk(
    await site.api('POST', `/accounts/${owner.id}/members`, { token: owner.token, body: { email, role } }),
  )
  await acceptInvitation(site, body.url)
  return { email }
}

/** Returns the names of disabled fields that don't say, themselves or by their group, who can change them. */
const findSilentFields = (page: Page) =>
  // a picked color belongs to the field beside it
  page
    .locator('main :is(input:not([type=color]), select, textarea, [role=switch]):disabled:visible')
    .evaluateAll((fields) => {
      const describes = (element: Element | null): boolean =>
        element !== null &&
        ((element.getAttribute('aria-describedby')?.split(' ') ?? []).some((id) =>
          document.getElementById(id)?.textContent?.includes('can change this'),
        ) ||
          describes(element.parentElement))
      return fields.filter((field) => !describes(field)).map((field) => field.getAttribute('aria-label') ?? field.id)
    })

test('every screen of a partner, as its member', async ({ browser, populated }) => {
  const { site, owner, partner, things } = populated
  const email = anEmail('member')
  const at = `/partners/${partner.id}/members`
  await proveAgain(site, partner)
  expectOk(await site.api('POST', at, { token: partner.token, body: { email, role: 'member' } }))
  const { items } = expectOk(await site.api('GET', at, { token: owner.token })).body
  await acceptInvitation(site, items.find((one: { email: string }) => one.email === email).url)
  const page = await signedInPage(browser, site, { email }, [])
  const refused: string[] = []
  let where = 'first'
  page.on('response', (response) => {
    if (response.url().includes('/api/') && response.status() === 403)
      refused.push(`${where}: ${response.request().method()} ${new URL(response.url()).pathname}`)
  })
  await page.goto(`${site.url}/no/such/page`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  for (const { path } of screens.filter((screen) => screen.role === 'partner')) {
    where = path
    await test.step(path, () => reopenScreen(page, fillPath(path, things)))
    await expect.soft(page.getByText('6789'), path).toHaveCount(0)
  }
  expect(refused).toEqual([])
  await page.context().close()
})

for (const role of teamRoles)
  test(`every screen of the account, as ${role}`, async ({ browser, populated }) => {
    const { site, owner, things } = populated
    const page = await signedInPage(browser, site, await aColleague(site, owner, role), [])
    const refused: string[] = []
    let at = 'first'
    page.on('response', (response) => {
      if (response.url().includes('/api/') && response.status() === 403)
        refused.push(`${at}: ${response.request().method()} ${new URL(response.url()).pathname}`)
    })
    const found: string[] = []
    await page.goto(`${site.url}/no/such/page`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    for (const { path } of screens.filter((screen) => screen.role === 'owner' && !screen.path.startsWith('/user/'))) {
      at = path
      await test.step(path, () => reopenScreen(page, fillPath(path, things)))
      if (process.env.PICTURES)
        await page.screenshot({
          path: `${process.env.PICTURES}/${role}${path.replace(/\W+/g, '-')}.png`,
          fullPage: true,
        })
      if (role !== 'owner' && SETTINGS.test(path))
        found.push(...(await findSilentFields(page)).map((name) => `${path}: disabled ${name}`))
      if (role !== 'viewer') continue
      await expect.soft(page.locator('main fieldset:disabled button:not([role]):visible'), path).toHaveCount(0)
      const names = await page
        .locator('main button:visible')
        .evaluateAll((buttons) =>
          buttons
            .filter((button) => !button.closest('[role=tab], [role=columnheader], th, [aria-haspopup], :disabled'))
            .map((button) => (button.getAttribute('aria-label') ?? button.textContent ?? '').trim()),
        )
      found.push(...names.filter((name) => name && !HARMLESS.test(name)).map((name) => `${path}: ${name}`))
    }
    expect(refused).toEqual([])
    expect(found).toEqual([])
    await page.context().close()
  })

test('a viewer reads the history of terms, and finds no address to copy', async ({ page, site }) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [10] } })
  const viewer = await aColleague(site, owner, 'viewer')
  const call = async (method: string, path: string, body: object) =>
    expectOk(await site.api(method, `/accounts/${owner.id}${path}`, { token: owner.token, body })).body
  const terms = { rules: [], otherwise: { layerRates: [15] }, maxPerCustomer: null, maxPerMonth: null }
  await call('PUT', '/terms', { terms, appliesTo: 'all-sales' })
  const mapping = [{ field: 'email', path: 'mail', transform: 'none' }]
  const hook = await call('POST', '/incoming-webhooks', { name: 'Form', target: 'lead', mapping })

  await openAs(page, site, viewer, '/account/settings?tab=commission')
  await page.getByRole('button', { name: /^Version \d/ }).click()
  await page.getByRole('dialog', { name: 'History' }).getByRole('button', { name: 'Version 1' }).click()
  await expect(page.getByRole('dialog', { name: 'Version 1' })).toBeVisible()

  await reopenScreen(page, `/integrations/incoming-webhooks/${hook.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Form' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy URL' })).toHaveCount(0)
})
