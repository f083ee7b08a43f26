import { standInIssuer } from '../fakes/oidc.ts'
import { expectOk, PASSWORD } from '../support/app.ts'
import { totpCode } from '../support/authenticator.ts'
import { failOnPageErrors } from '../support/browser.ts'
import { anOwner, expectAccessibleInBothThemes, openAs, pageHeading, startSite } from '../support/journey.ts'
import { prepareSecondFactor, regionNamed, signOut, site, startSignIn } from '../support/second-factor-screens.ts'
import { expect, test } from '../support/test.ts'

// A passkey is set up and asked for, a second factor is required of a team, and a company has its own issuer.

prepareSecondFactor()

test('a passkey signs in by itself, and an account can require a second factor of its team', async ({ browser }) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await failOnPageErrors(page)
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
  await openAs(page, site, owner, '/user/profile')
  await regionNamed(page, 'Passkeys').getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add passkey' })
  await dialog.getByLabel('Name').fill('Laptop')
  await dialog.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('dialog', { name: 'Recovery codes' }).getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(regionNamed(page, 'Passkeys')).toContainText('Laptop')

  await signOut(page)
  await page.goto(`${site.url}/auth/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()
  await signOut(page)
  await startSignIn(page, owner.email)
  await expect(page.getByText('Now use your passkey')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()

  await page.goto(`${site.url}/account/settings?tab=people`)
  await page.getByLabel('Second factor required for').selectOption('Team')
  await expect(page.getByRole('status').filter({ hasText: 'saved' })).toBeVisible()
  await expect(page.getByRole('row', { name: /Elena/ })).toContainText('On')
  await expectAccessibleInBothThemes(page)

  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('tributary.session')!).accessToken)
  const body = { email: `sam-${Date.now()}@colleagues.example`, role: 'viewer', firstName: 'Sam' }
  const { url } = expectOk(await site.api('POST', `/accounts/${owner.id}/members`, { token, body })).body
  const theirs = await browser.newContext()
  const member = await theirs.newPage()
  await member.goto(url)
  await member.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await member.getByLabel('Confirm Password').fill(PASSWORD)
  await member.getByRole('button', { name: 'Finish setup' }).click()
  await expect(pageHeading(member, 'Profile')).toBeVisible()
  await expect(member.getByText('Set up a second factor to go on')).toBeVisible()
  await expectAccessibleInBothThemes(member)
  await member.goto(`${site.url}/leads`)
  await expect(pageHeading(member, 'Profile')).toBeVisible()
  await regionNamed(member, 'Authenticator app').getByRole('button', { name: 'Set up' }).click()
  const setUp = member.getByRole('dialog', { name: 'Authenticator app' })
  const secret = await setUp.getByLabel('Key').inputValue()
  await setUp.getByLabel('Authentication Code').fill(totpCode(secret, new Date()))
  await setUp.getByRole('button', { name: 'Set up' }).click()
  await member.getByRole('dialog', { name: 'Recovery codes' }).getByRole('button', { name: 'I’ve saved them' }).click()
  await member.goto(`${site.url}/leads`)
  await expect(pageHeading(member, 'Leads')).toBeVisible()
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
    const invitation = expectOk(await at.api('POST', `/accounts/${owner.id}/members`, { token: owner.token, body }))
      .body.url
    const page = await context.newPage()
    await page.goto(invitation)
    await expectAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Sign in with Okta' }).click()
    await expect(pageHeading(page, 'Dashboard')).toBeVisible()
    expect(page.url()).toBe(`${at.url}/dashboard`)

    await page.goto(`${at.url}/user/profile`)
    await page.getByRole('button', { name: 'Add access token' }).click()
    const token = page.getByRole('dialog', { name: 'Add access token' })
    await token.getByLabel('Name').fill('Assistant')
    await token.getByRole('button', { name: 'Add access token' }).click()
    const confirm = page.getByRole('dialog', { name: 'Confirm your password' })
    await confirm.getByRole('button', { name: 'Sign in with Okta' }).click()
    await expect(pageHeading(page, 'Profile')).toBeVisible()
    await expect.poll(() => issuer.asked.at(-1)?.searchParams.get('max_age')).toBe('0')
    await page.waitForURL(`${at.url}/user/profile`)
    await expect(pageHeading(page, 'Profile')).toBeVisible()
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
