import type { Page } from '@playwright/test'
import { eventually, ok, PASSWORD } from '../support/app.ts'
import { codeOf } from '../support/authenticator.ts'
import { hearComplaints } from '../support/browser.ts'
import { anOwner, enter, expectAccessibleInBothThemes, heading, type Site, startSite } from '../support/journey.ts'
import { standInIssuer } from '../support/stand-ins/oidc.ts'
import { expect, test } from '../support/test.ts'

// The second factor: an authenticator app and a passkey are set up, asked for, and required of a team.

let site: Site

test.beforeAll(async () => {
  const started = await startSite()
  // passkeys need a host name
  site = { ...started, url: started.url.replace('127.0.0.1', 'localhost') }
})
test.afterAll(() => site.end())

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function startSignIn(page: Page, email: string) {
  await page.goto(`${site.url}/auth/sign-in`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function signOut(page: Page) {
  await page.evaluate(() => localStorage.removeItem('tributary.session'))
}

/** A code of a step after this one, which no earlier call has used. */
async function nextCode(secret: string, used: string) {
  return eventually(() => {
    const code = codeOf(secret, new Date(Date.now() + 30_000))
    return Promise.resolve(code === used ? null : code)
  }, 40_000)
}

test('an authenticator app is set up, asked for at the next sign-in, and a recovery code stands in', async ({
  page,
}) => {
  const owner = await anOwner(site)
  await enter(page, site, owner, '/user/profile')
  await region(page, 'Authenticator app').getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Authenticator app' })
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = await dialog.getByLabel('Key').inputValue()
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('Authentication Code').fill('12345')
  await dialog.getByRole('button', { name: 'Set up' }).click()
  await expect(dialog.getByRole('alert')).toContainText('That code is not valid')
  const code = codeOf(secret, new Date())
  await dialog.getByLabel('Authentication Code').fill(code)
  await dialog.getByRole('button', { name: 'Set up' }).click()
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  await expect(codes).toContainText('They won’t be shown again')
  const recovery = (await codes.locator('code, pre').first().innerText()).trim().split(/\s+/)
  expect(recovery).toHaveLength(10)
  await expectAccessibleInBothThemes(page)
  await codes.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(region(page, 'Recovery codes')).toContainText('10 codes left')

  await signOut(page)
  await startSignIn(page, owner.email)
  await expect(page.getByLabel('Authentication Code')).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await page.getByLabel('Authentication Code').fill(code)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('That code is not valid')
  await page.getByLabel('Authentication Code').fill(await nextCode(secret, code))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(heading(page, 'Dashboard')).toBeVisible()

  await signOut(page)
  await startSignIn(page, owner.email)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery Code').fill(recovery[3]!.toLowerCase())
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(heading(page, 'Dashboard')).toBeVisible()
  await page.goto(`${site.url}/user/profile`)
  await expect(region(page, 'Recovery codes')).toContainText('9 codes left')
  // a recovery code is no fresh proof
  await region(page, 'Recovery codes').getByRole('button', { name: 'Show new codes' }).click()
  await page.getByRole('dialog', { name: 'Show new codes' }).getByRole('button', { name: 'Show new codes' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm your password' })
  await expect(confirm.getByLabel('Authentication Code')).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await confirm.getByRole('button', { name: 'Cancel' }).click()
})

test('a passkey signs in by itself, and an account can require a second factor of its team', async ({ browser }) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await hearComplaints(page)
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const owner = await anOwner(site)
  await enter(page, site, owner, '/user/profile')
  await region(page, 'Passkeys').getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add passkey' })
  await dialog.getByLabel('Name').fill('Laptop')
  await dialog.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('dialog', { name: 'Recovery codes' }).getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(region(page, 'Passkeys')).toContainText('Laptop')

  await signOut(page)
  await page.goto(`${site.url}/auth/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(heading(page, 'Dashboard')).toBeVisible()
  await signOut(page)
  await startSignIn(page, owner.email)
  await expect(page.getByText('Now use your passkey')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(heading(page, 'Dashboard')).toBeVisible()

  await page.goto(`${site.url}/account/settings?tab=people`)
  await page.getByLabel('Second factor required for').selectOption('Team')
  await expect(page.getByRole('status').filter({ hasText: 'saved' })).toBeVisible()
  await expect(page.getByRole('row', { name: /Elena/ })).toContainText('On')
  await expectAccessibleInBothThemes(page)

  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('tributary.session')!).accessToken)
  const body = { email: `sam-${Date.now()}@colleagues.example`, role: 'viewer', firstName: 'Sam' }
  const { url } = ok(await site.api('POST', `/accounts/${owner.id}/members`, { token, body })).body
  const theirs = await browser.newContext()
  const member = await theirs.newPage()
  await member.goto(url)
  await member.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await member.getByLabel('Confirm Password').fill(PASSWORD)
  await member.getByRole('button', { name: 'Finish setup' }).click()
  await expect(heading(member, 'Profile')).toBeVisible()
  await expect(member.getByText('Set up a second factor to go on')).toBeVisible()
  await expectAccessibleInBothThemes(member)
  await member.goto(`${site.url}/leads`)
  await expect(heading(member, 'Profile')).toBeVisible()
  await region(member, 'Authenticator app').getByRole('button', { name: 'Set up' }).click()
  const setUp = member.getByRole('dialog', { name: 'Authenticator app' })
  const secret = await setUp.getByLabel('Key').inputValue()
  await setUp.getByLabel('Authentication Code').fill(codeOf(secret, new Date()))
  await setUp.getByRole('button', { name: 'Set up' }).click()
  await member.getByRole('dialog', { name: 'Recovery codes' }).getByRole('button', { name: 'I’ve saved them' }).click()
  await member.goto(`${site.url}/leads`)
  await expect(heading(member, 'Leads')).toBeVisible()
  await theirs.close()
  await context.close()
})

test('an invited person signs in at the company’s issuer, and proves there who they are', async ({ browser }) => {
  const issuer = await standInIssuer()
  const { url, clientId, clientSecret } = issuer
  const own = await startSite({
    OIDC_ISSUER: url,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_DOMAINS: 'acme.example',
    OIDC_NAME: 'Okta',
  })
  const at = { ...own, url: own.url.replace('127.0.0.1', 'localhost') }
  const context = await browser.newContext()
  try {
    const owner = await anOwner(at)
    const email = `sam-${Date.now()}@acme.example`
    issuer.person = { sub: 'sam', email, email_verified: true }
    const body = { email, role: 'viewer', firstName: 'Sam' }
    const invitation = ok(await at.api('POST', `/accounts/${owner.id}/members`, { token: owner.token, body })).body.url
    const page = await context.newPage()
    await page.goto(invitation)
    await expectAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Sign in with Okta' }).click()
    await expect(heading(page, 'Dashboard')).toBeVisible()
    expect(page.url()).toBe(`${at.url}/dashboard`)

    await page.goto(`${at.url}/user/profile`)
    await page.getByRole('button', { name: 'Add access token' }).click()
    const token = page.getByRole('dialog', { name: 'Add access token' })
    await token.getByLabel('Name').fill('Assistant')
    await token.getByRole('button', { name: 'Add access token' }).click()
    const confirm = page.getByRole('dialog', { name: 'Confirm your password' })
    await confirm.getByRole('button', { name: 'Sign in with Okta' }).click()
    await expect(heading(page, 'Profile')).toBeVisible()
    await expect.poll(() => issuer.asked.at(-1)?.searchParams.get('max_age')).toBe('0')
    await page.waitForURL(`${at.url}/user/profile`)
    await expect(heading(page, 'Profile')).toBeVisible()
    await page.getByRole('button', { name: 'Add access token' }).click()
    await token.getByLabel('Name').fill('Assistant')
    await token.getByRole('button', { name: 'Add access token' }).click()
    await expect(page.getByRole('dialog', { name: 'Assistant' })).toBeVisible()

    await page.goto(`${at.url}/auth/oidc?error=access_denied&state=x`)
    await expect(page.getByRole('alert')).toContainText('Signing in was canceled')
    expect(page.url()).toBe(`${at.url}/auth/oidc`)
    await expectAccessibleInBothThemes(page)
  } finally {
    await context.close()
    await own.end()
    await issuer.close()
  }
})
