import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/browser.ts'
import { invitationLink, type Site } from '../support/journey.ts'
import {
  address,
  administrator,
  apiGet,
  apiPost,
  createAccount,
  dataDir,
  newcomer,
  owner,
  prepareShell,
  stripe,
} from '../support/shell-screens.ts'
import { expect, test } from '../support/test.ts'

prepareShell()

async function signIn(page: Page, { email, password }: typeof owner) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('the administrator signs in and sees only the accounts', async ({ page, complaints }) => {
  await page.goto(`${address}/dashboard`)
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  await expectAccessible(page)
  await signIn(page, administrator)

  await expect(page.getByRole('heading', { level: 1, name: 'Accounts' })).toBeVisible()
  await expect(page).toHaveURL(`${address}/admin/accounts`)
  await expect(page).toHaveTitle('Accounts · Tributary')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await expect(navigation.getByRole('listitem')).toHaveText(['Admin'])
  await expect(navigation.getByText('Staging')).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'Admin' })).toHaveAttribute('aria-current', 'page')
  await expectAccessible(page)
  expect(complaints).toEqual([])
})

test('on a phone the navigation is a drawer; signing out in one tab ends the other', async ({ page, complaints }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${address}/auth/sign-in`)
  await signIn(page, owner)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

  await page.getByRole('button', { name: 'Open navigation' }).click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Links' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()

  const other = await page.context().newPage()
  await other.goto(`${address}/partners`)
  await other.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('a person who signs in in another tab ends the session of this one, even with unsaved edits', async ({
  page,
  complaints,
}) => {
  const { accessToken } = await apiPost('/auth/sign-in', administrator)
  const setUp = await createAccount({ email: 'lea@quartz.example' }, 'Quartz Prints', accessToken)
  await page.goto(`${address}/auth/sign-in`)
  await signIn(page, owner)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await page.goto(`${address}/partners/new`)
  await page.getByLabel('Email').fill('not-sent@partners.example')
  const requests: string[] = []
  page.on('dialog', (dialog) => {
    requests.push(dialog.type())
    return dialog.dismiss()
  })

  const other = await page.context().newPage()
  await other.goto(`${address}${setUp}`)
  await other.getByLabel('Password', { exact: true }).fill(newcomer.password)
  await other.getByLabel('Confirm Password').fill(newcomer.password)
  await other.getByRole('button', { name: 'Finish setup' }).click()
  await expect(other.getByText('lea@quartz.example')).toBeVisible()
  // nothing is done in the new person's name from the screens of the other
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await expect(page.getByText('lea@quartz.example')).toBeVisible()
  expect(requests).toEqual([])
  expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([])
})

test('an expired access token is renewed silently, a session ended elsewhere leads to the sign-in screen', async ({
  page,
  complaints,
}) => {
  await page.goto(`${address}/auth/sign-in`)
  await signIn(page, owner)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  const session = () => page.evaluate(() => JSON.parse(localStorage.getItem('tributary.session') ?? 'null'))

  const before = await session()
  await page.evaluate(
    (kept) => localStorage.setItem('tributary.session', JSON.stringify({ ...kept, accessToken: 'worn-out' })),
    before,
  )
  await page.goto(`${address}/links`)
  await expect(page.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
  const after = await session()
  expect(after.refreshToken).not.toBe(before.refreshToken)
  expect(Object.keys(after).sort()).toEqual(['accessToken', 'refreshToken'])

  await page.evaluate(() =>
    localStorage.setItem('tributary.session', JSON.stringify({ accessToken: 'worn-out', refreshToken: 'ended' })),
  )
  await page.goto(`${address}/links`)
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  await expect(page).toHaveURL(`${address}/auth/sign-in?return=%2Flinks`)
  expect(await session()).toBeNull()
  // Only the browser's own messages about answers of 401.
  expect(complaints.filter((complaint) => !complaint.includes('401'))).toEqual([])
})

test('on every screen the Tab key starts at the link to its content', async ({ page, complaints }) => {
  await page.goto(`${address}/auth/sign-in`)
  await signIn(page, owner)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  for (const [path, name] of [
    ['/dashboard', 'Dashboard'],
    ['/leads', 'Leads'],
    ['/payouts', 'Payouts'],
    ['/account/settings', 'Settings'],
  ] as const) {
    await page.goto(`${address}${path}`)
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page.locator('[aria-label="Loading..."]')).toHaveCount(0)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  }
  expect(complaints).toEqual([])
})

test('without storage the session lasts as long as the document', async ({ page, complaints }) => {
  await page.addInitScript(() => {
    for (const call of ['getItem', 'setItem', 'removeItem'] as const)
      Storage.prototype[call] = () => {
        throw new DOMException('refused', 'SecurityError')
      }
  })
  await page.goto(`${address}/leads`)
  await expect(page).toHaveURL(`${address}/auth/sign-in?return=%2Fleads`)
  await signIn(page, owner)
  await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeFocused()
  await expect(page).toHaveURL(`${address}/leads`)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Links' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Links' })).toBeFocused()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('a chosen role stays in its tab and on Back, whatever another tab chooses', async ({ page, complaints }) => {
  const { accessToken } = await apiPost('/auth/sign-in', administrator)
  const other = (await createAccount({ email: 'kit@zinc.example' }, 'Zinc Studio', accessToken)).split('#token=')[1]
  const kit = await apiPost('/auth/change-password', { password: newcomer.password }, other)
  const { roles } = await apiGet('/users/me', kit.accessToken)
  const { accountId } = roles[0]
  await apiPost(`/accounts/${accountId}/partners`, { email: owner.email, sendInvitation: true }, kit.accessToken)
  const url = await invitationLink({ dataDir } as unknown as Site, owner.email, 'Zinc Studio')
  const { accessToken: token } = await apiPost('/auth/sign-in', owner)
  await apiPost('/auth/user-setup/accept', { token: url.split('#token=')[1] }, token)

  const switcher = (of: Page, label: string) => of.getByRole('button', { name: `Switch role, current: ${label}` })
  async function choose(from: Page, label: string) {
    await from.getByRole('button', { name: /^Switch role/ }).click()
    await from.getByRole('menuitemradio', { name: label, exact: true }).click()
    await expect(switcher(from, label)).toBeVisible()
  }
  const go = (where: Page, name: string) =>
    where.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()
  const screen = (of: Page, name: string) => expect(of.getByRole('heading', { level: 1, name })).toBeVisible()

  await page.goto(`${address}/auth/sign-in`)
  await signIn(page, owner)
  await expect(switcher(page, 'Harbor Analytics')).toBeVisible()
  const second = await page.context().newPage()
  await second.goto(`${address}/leads`)
  await expect(switcher(second, 'Harbor Analytics')).toBeVisible()

  await choose(page, "Zinc Studio's partner")
  await go(page, 'Leads')
  await screen(page, 'Leads')
  // The other tab was opened as the owner and stays so, its screens and the shell around them.
  await go(second, 'Links')
  await screen(second, 'Links')
  await go(second, 'Leads')
  await expect(second.getByRole('group', { name: 'Page actions' }).getByText('Add lead')).toBeVisible()
  await expect(switcher(second, 'Harbor Analytics')).toBeVisible()
  await choose(second, 'Harbor Analytics')

  await go(page, 'Partners')
  await screen(page, 'Partners')
  await page.reload()
  await expect(switcher(page, "Zinc Studio's partner")).toBeVisible()
  await choose(page, 'Harbor Analytics')
  await page.goBack()
  await screen(page, 'Partners')
  await expect(switcher(page, "Zinc Studio's partner")).toBeVisible()

  // An address of the owner selects the owner's role, which then stays selected.
  await page.goto(`${address}/links`)
  await choose(page, "Zinc Studio's partner")
  await page.goto(`${address}/links`)
  await go(page, 'Leads')
  await screen(page, 'Leads')
  await expect(switcher(page, 'Harbor Analytics')).toBeVisible()
  expect(complaints).toEqual([])
})

test('the notice of an owner’s next set-up step is on every screen except the one for that step', async ({
  page,
  complaints,
}) => {
  const { accessToken } = await apiPost('/auth/sign-in', administrator)
  const mara = { email: 'mara@cobalt.example', password: newcomer.password }
  const setUp = (await createAccount(mara, 'Cobalt Maps', accessToken)).split('#token=')[1]
  const { accessToken: token } = await apiPost('/auth/change-password', { password: mara.password }, setUp)
  const notice = page.getByRole('region', { name: 'Notice' })
  const open = async (path: string, name: string) => {
    await page.goto(`${address}${path}`)
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  }

  await page.goto(`${address}/auth/sign-in`)
  await signIn(page, mara)
  await expect(notice).toContainText('Set up your payment integration')
  await open('/user/profile', 'Profile')
  await expect(notice).toContainText('Set up your payment integration')
  await notice.getByRole('link', { name: 'Go to payment providers' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payment Providers' })).toBeVisible()
  for (const path of ['/integrations/payment-providers', '/integrations/payment-providers/']) {
    await open(path, 'Payment Providers')
    await expect(notice).toContainText('Add your first partner')
  }
  await open('/partners/new/', 'Add partner')
  await expect(notice).toContainText('Set up your payment integration')

  const credentials = { restrictedKey: stripe.key, webhookSecret: 'whsec_of_the_notice' }
  const { roles } = await apiGet('/users/me', token)
  await apiPost(`/accounts/${roles[0].accountId}/payment-providers/connect`, { provider: 'stripe', credentials }, token)
  await open('/user/profile', 'Profile')
  await expect(notice).toContainText('Add your first partner')
  for (const path of ['/partners/new', '/partners/new/']) {
    await open(path, 'Add partner')
    await expect(page.getByLabel('Email')).toBeVisible()
    await expect(notice).toHaveCount(0)
  }
  expect(complaints).toEqual([])
})

test("a payment provider's callback works for any user, and an unknown provider gets an explanation", async ({
  page,
  complaints,
}) => {
  const back = page.getByRole('link', { name: 'Back to payment providers' })
  const home = page.getByRole('link', { name: 'Go to home' })
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  for (const [person, way] of [
    [owner, back],
    [administrator, home],
  ] as const) {
    await page.goto(`${address}/oauth/stripe?code=1&state=2`)
    await signIn(page, person)
    await expect(heading('Connecting Stripe')).toBeVisible()
    await expect(page).toHaveURL(`${address}/oauth/stripe?code=1&state=2`)
    await expect(way).toBeVisible()
    for (const unknown of ['acme', 'constructor']) {
      await page.goto(`${address}/oauth/${unknown}`)
      await expect(heading('Unknown payment provider')).toBeVisible()
      await expect(page.getByText('Tributary doesn’t support this payment provider.')).toBeVisible()
      await expect(way).toBeVisible()
    }
    await expectAccessible(page)
    await way.click()
    await expect(heading(way === back ? 'Payment Providers' : 'Accounts')).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(heading('Sign in')).toBeVisible()
  }
  expect(complaints).toEqual([])
})
