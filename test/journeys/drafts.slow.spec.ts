import type { Page } from '@playwright/test'
import { ok, signIn } from '../support/app.ts'
import { unexpected } from '../support/browser.ts'
import { roadOf } from '../support/held-answers.ts'
import {
  anOwner,
  aPartnerOf,
  atRest,
  heading,
  type Person,
  type Site,
  showOptions,
  signInOnScreen,
} from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// Drafts that were typed when a session ended, and the way back from a form.

let site: Site
let owner: Person & { id: string }
let jane: Person & { id: string }

test.beforeAll(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site, { name: 'Fernhill Supply' })
  jane = await aPartnerOf(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
})

/** Opens an address in a new session. */
async function openAs(page: Page, who: Person, path: string, h1: string) {
  const { token, refreshToken } = await signIn(site, who.email)
  // A document of this site without a script.
  await page.goto(`${site.url}/api/v1/nothing`)
  await page.evaluate(
    (session) => localStorage.setItem('tributary.session', session),
    JSON.stringify({ accessToken: token, refreshToken }),
  )
  await page.goto(`${site.url}${path}`)
  await expect(heading(page, h1)).toBeVisible()
  await atRest(page)
  return { end: () => site.api('POST', '/auth/sign-out', { body: { refreshToken } }) }
}

const press = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click()
const kept = (page: Page) => page.evaluate(() => sessionStorage.getItem('tributary.drafts'))
const isBack = (page: Page) =>
  page.getByText('What you typed before you were signed out has been restored. It isn’t saved yet.')

test('what was typed is there again after signing in, beside what others changed meanwhile', async ({
  page,
  complaints,
}) => {
  const session = await openAs(page, owner, `/partners/${jane.id}/update`, 'Edit partner')
  await page.getByLabel('First Name').fill('Johanna\u{1F600} "\\<b>')
  await showOptions(page)
  await page.getByLabel('Note').fill('line one\nline two')
  await session.end()
  ok(await site.api('PUT', `/partners/${jane.id}`, { token: owner.token, body: { lastName: 'Marsh' } }))
  await press(page, 'Save changes')
  await expect(heading(page, 'Sign in')).toBeVisible()
  await signInOnScreen(page, owner)

  await expect(heading(page, 'Edit partner')).toBeVisible()
  await expect(isBack(page)).toBeVisible()
  await expect(page.getByLabel('First Name')).toHaveValue('Johanna\u{1F600} "\\<b>')
  await expect(page.getByLabel('Note')).toHaveValue('line one\nline two')
  await expect(page.getByLabel('Last Name')).toHaveValue('Marsh')
  expect(await kept(page)).toBeNull()
  await press(page, 'Save changes')
  await expect(heading(page, 'Johanna\u{1F600} "\\<b> Marsh')).toBeVisible()
  ok(await site.api('PUT', `/partners/${jane.id}`, { token: owner.token, body: { firstName: 'Jane' } }))

  // A draft is restored only once.
  await page.goto(`${site.url}/partners/${jane.id}/update`)
  await expect(page.getByLabel('First Name')).toHaveValue('Jane')
  await expect(isBack(page)).toBeHidden()
  expect(unexpected(complaints, 401, 404)).toEqual([])
})

test('what was typed in a dialog is there when it is opened again for the same thing, and for that alone', async ({
  page,
  complaints,
}) => {
  const lead = async (firstName: string) =>
    ok(
      await site.api('POST', `/accounts/${owner.id}/leads`, {
        token: owner.token,
        body: { firstName, email: `${firstName}-${Date.now()}@leads.example` },
      }),
    ).body.id
  const [mara, theo] = [await lead('Mara'), await lead('Theo')]
  const openNote = async () => {
    await page.getByRole('group', { name: 'Page actions' }).getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Add note' }).click()
    return page.getByRole('dialog', { name: 'Add note' })
  }
  const session = await openAs(page, owner, `/leads/${mara}`, 'Mara')
  const note = await openNote()
  await note.getByLabel('Note', { exact: true }).fill('Called twice.\nWants the annual plan \u{1F600} "\\<b>')
  await session.end()
  await note.getByRole('button', { name: 'Add note' }).click()
  await expect(heading(page, 'Sign in')).toBeVisible()
  await signInOnScreen(page, owner)

  await expect(heading(page, 'Mara')).toBeVisible()
  await expect(page.getByText('What you typed in “Add note” before you were signed out was saved.')).toBeVisible()
  await page.goto(`${site.url}/leads/${theo}`)
  await expect(heading(page, 'Theo')).toBeVisible()
  await expect(page.getByText('What you typed in “Add note”')).toBeHidden()
  await expect((await openNote()).getByLabel('Note', { exact: true })).toHaveValue('')
  await page.goto(`${site.url}/leads/${mara}`)
  await expect(heading(page, 'Mara')).toBeVisible()
  await expect((await openNote()).getByLabel('Note', { exact: true })).toHaveValue(
    'Called twice.\nWants the annual plan \u{1F600} "\\<b>',
  )
  await expect(isBack(page)).toBeVisible()
  await note.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByText('Wants the annual plan')).toBeVisible()
  expect(await kept(page)).toBeNull()
  expect(unexpected(complaints, 401, 404)).toEqual([])
})

test('nobody else finds it, nor does who signs out themselves', async ({ page }) => {
  const session = await openAs(page, owner, '/partners/new', 'Add partner')
  await page.getByLabel('First Name').fill('Secretly')
  await page.getByLabel('Email').fill('someone@partners.example')
  await session.end()
  await press(page, 'Add partner')
  await expect(heading(page, 'Sign in')).toBeVisible()
  expect(await kept(page)).toContain('Secretly')
  const other = await anOwner(site, { name: 'Lindenhof' })
  await signInOnScreen(page, other)
  await expect(heading(page, 'Add partner')).toBeVisible()
  await atRest(page)
  await expect(page.getByLabel('First Name')).toHaveValue('')
  expect(await kept(page)).toBeNull()

  await page.getByLabel('First Name').fill('Unsaved')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(heading(page, 'Sign in')).toBeVisible()
  expect(await kept(page)).toBeNull()
})

test('passwords, tokens, keys and bank accounts are never kept', async ({ page }) => {
  const secrets: [who: Person, path: string, h1: string, type: (page: Page) => Promise<void>, save: string][] = [
    [
      jane,
      '/partner/settings',
      'Settings',
      async (page) => {
        await page.getByLabel('Account Holder Name').fill('Jane Whitfield')
        await page.getByLabel('Routing Number').fill('111000025')
        await page.getByLabel('Account Number', { exact: true }).fill('000123456789')
        await page.getByLabel('Confirm Account Number').fill('000123456789')
        await page.getByLabel('Address').fill('1 Main St')
        await page.getByLabel('City').fill('Austin')
        await page.getByLabel('State').selectOption('Texas')
        await page.getByLabel('Zip Code').fill('78701')
      },
      'Save payout details',
    ],
    [
      owner,
      '/integrations/outgoing-webhooks/new',
      'Add outgoing webhook',
      async (page) => {
        await page.getByLabel('Name', { exact: true }).fill('Hook of mine')
        await page.getByLabel('URL').fill('https://hooks.example/take')
        await showOptions(page)
        await page.getByLabel('Header Name').fill('X-Key')
        await page.getByLabel('Header Value').fill('000123456789')
      },
      'Add outgoing webhook',
    ],
    [
      owner,
      '/integrations/incoming-webhooks/new',
      'Add incoming webhook',
      async (page) => {
        await page.getByLabel('Name', { exact: true }).fill('Form of ours')
        await page.getByLabel('Authentication').selectOption({ label: 'User name and password' })
        await page.getByLabel('User Name').fill('sender')
        await page.getByLabel('Password', { exact: true }).fill('000123456789')
        // Shown, it is a secret still.
        await page.getByRole('main').getByRole('button', { name: /^Show/ }).click()
      },
      'Add incoming webhook',
    ],
  ]
  for (const [who, path, h1, type, save] of secrets) {
    const session = await openAs(page, who, path, h1)
    await type(page)
    await session.end()
    await press(page, save)
    await expect(heading(page, 'Sign in')).toBeVisible()
    const all = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))
    expect(all).not.toContain('000123456789')
    expect(all).not.toContain('111000025')
    expect(await kept(page)).toMatch(/Austin|Hook of mine|Form of ours/)
    await page.evaluate(() => sessionStorage.removeItem('tributary.drafts'))
  }
})

test('the way back leads past a form that was saved or given up', async ({ page, complaints }) => {
  await openAs(page, owner, '/partners', 'Partners')
  await page.getByRole('link', { name: /Whitfield|Marsh/ }).click()
  const person = page.getByRole('heading', { level: 1, name: /Whitfield|Marsh/ })
  await expect(person).toBeVisible()
  const name = await person.innerText()
  await press(page, 'Edit')
  await expect(heading(page, 'Edit partner')).toBeVisible()
  await showOptions(page)
  await page.getByLabel('Note').fill(`Seen at ${Date.now()}`)
  await press(page, 'Save changes')
  await expect(page.getByText('Partner saved')).toBeVisible()
  await expect(heading(page, name)).toBeFocused()
  await page.goBack()
  await expect(heading(page, name)).toBeVisible()
  await page.goBack()
  await expect(heading(page, 'Partners')).toBeVisible()

  await press(page, 'Add partner')
  await page.getByLabel('Email').fill(`ada-${Date.now()}@partners.example`)
  await press(page, 'Add partner')
  await expect(page.getByText('Partner added')).toBeVisible()
  await page.goBack()
  await expect(heading(page, 'Partners')).toBeVisible()
  await press(page, 'Add partner')
  await expect(heading(page, 'Add partner')).toBeVisible()
  await press(page, 'Cancel')
  await expect(heading(page, 'Partners')).toBeVisible()
  await page.goForward().catch(() => undefined)
  await expect(heading(page, 'Partners')).toBeVisible()
  expect(unexpected(complaints, 404)).toEqual([])
})

test('what is typed while a form that leads on is saved is asked about, not lost', async ({ page }) => {
  await openAs(page, owner, `/partners/${jane.id}/update`, 'Edit partner')
  const road = await roadOf(page)
  road.hold()
  await showOptions(page)
  await page.getByLabel('Note').fill('first')
  await press(page, 'Save changes')
  await expect.poll(road.waiting).toEqual([`PUT /partners/${jane.id}`])
  await page.getByLabel('Note').fill('first, and more')
  await road.open()
  const guard = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect(guard).toBeVisible()
  await guard.getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Note')).toHaveValue('first, and more')
  await press(page, 'Save changes')
  await expect(heading(page, 'Edit partner')).toBeHidden()
  expect(ok(await site.api('GET', `/partners/${jane.id}`, { token: owner.token })).body.note).toBe('first, and more')
})
